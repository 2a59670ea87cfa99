// Who is logged in, and what becomes of unsent answers when that changes.

import { askLogin, inform } from "./dialogs.js";
import { text } from "./texts.js";

export class Account {
  /** campaign: slug; start: address to go to as somebody else; goOn(): everything is sent again. */
  constructor({ queue, campaign, start, goOn }) {
    Object.assign(this, { queue, campaign, start, goOn });
  }

  me() {
    return this.queue.request("GET", `me?campaign=${encodeURIComponent(this.campaign)}`);
  }

  /** Ask for the password in place, and go on as the same person. */
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

  /** Perhaps the login was renewed in another tab. */
  async look() {
    if (this.queue.halted !== "login") return;
    if ((await this.me()).status === 200) document.getElementById("login").close("in");
  }

  /** The answers stay sealed on this device under the key of whoever gave them. */
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
