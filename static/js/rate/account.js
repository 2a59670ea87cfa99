// The logged-in user, and the handling of unsent answers when the user changes.

import { askLogin, inform } from "./dialogs.js";
import { text } from "./texts.js";

export class Account {
  /** campaign: slug; start: page for a different user; goOn(): resume sending. */
  constructor({ queue, campaign, start, goOn }) {
    Object.assign(this, { queue, campaign, start, goOn });
  }

  me() {
    return this.queue.request("GET", `me?campaign=${encodeURIComponent(this.campaign)}`);
  }

  /** Ask for the password in a dialog, and continue as the same person. */
  async login() {
    if (!(await askLogin(this.queue))) return;
    const { status, data } = await this.me();
    if (status === 200 && data.annotator !== this.queue.annotator) {
      await this.stranger();
      return;
    }
    this.queue.resume(); // The server looks at the annotator of every answer again.
    this.goOn();
  }

  /** Check whether the login was renewed in another tab. */
  async look() {
    if (this.queue.halted !== "login") return;
    if ((await this.me()).status === 200) document.getElementById("login").close("in");
  }

  /** Unsent answers stay on this device, stored under the key of the annotator who gave them. */
  async stranger() {
    this.queue.halted = "stranger";
    const { status, data } = await this.me();
    if (status === 401) {
      this.queue.halted = "login";
      await this.login();
      return;
    }
    const n = this.queue.unsent().length;
    const left = data?.annotator === this.queue.annotator;
    if (left) await inform(text("left title"), text("left", { n }));
    else await inform(text("stranger title"), text("stranger", { n, name: data?.username ?? "?" }));
    window.location.href = left ? "/" : this.start;
  }
}
