// Browsers start no worker from a file. So that search works without a server, this stands in for one:
// the worker's script runs in a hidden frame, and messages go between the two windows.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inner = frame.contentWindow;
      this.waiting = [];
      this.inner.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      this.inner.importScripts = async (...addresses) => {
        for (const one of addresses) await this.load(one);
      };
      this.load(address).then(() => {
        for (const data of this.waiting.splice(0)) this.give(data);
        this.loaded = true;
      });
    }

    load(address) {
      return new Promise((done, failed) => {
        const script = this.inner.document.createElement("script");
        Object.assign(script, { src: address, onload: done, onerror: failed });
        this.inner.document.head.append(script);
      });
    }

    give(data) {
      this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data }));
    }

    postMessage(data) {
      if (this.loaded) this.give(data);
      else this.waiting.push(data);
    }

    terminate() {}
  };
}
