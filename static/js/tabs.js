// On a narrow screen the tabs are one row that scrolls: show the current one.
const tab = document.querySelector(".tabs a[aria-current]");
if (tab) {
  const row = tab.closest(".tabs");
  row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}
