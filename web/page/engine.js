/**
 * engine.js: the worker, as functions that return promises.
 *
 * The worker starts from a blob: URL, because only then it inherits the page's security policy: a
 * worker of its own address would be allowed to connect to any host.
 */
export class Engine {
  constructor() {
    /** @type {Map<number, {resolve: Function, reject: Function, progress: Function}>} */
    this.calls = new Map();
    this.count = 0;
    this.start();
  }

  start() {
    const code = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.worker = new Worker(url, { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.receive(data));
    this.worker.addEventListener("error", () =>
      this.fail("The worker did not start. This page needs a newer browser."),
    );
  }

  /**
   * Calls a function of worker.js.
   * @param {string} name
   * @param {any} [argument]
   * @param {(done: number) => void} [progress] called with 0..1
   * @returns {Promise<any>}
   */
  call(name, argument = {}, progress = () => {}) {
    const id = this.count++;
    this.worker.postMessage({ id, name, argument });
    return new Promise((resolve, reject) => this.calls.set(id, { resolve, reject, progress }));
  }

  receive({ id, progress, result, error }) {
    const call = this.calls.get(id);
    if (!call) return;
    if (progress !== undefined) return call.progress(progress);
    this.calls.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error));
  }

  fail(message) {
    for (const call of this.calls.values()) call.reject(new Error(message));
    this.calls.clear();
  }

  get isBusy() {
    return this.calls.size > 0;
  }

  /** Ends all that is running, and starts a new worker. */
  stop() {
    this.worker.terminate();
    this.fail("Stopped.");
    this.start();
  }
}
