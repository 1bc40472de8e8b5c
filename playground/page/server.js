const retryMs = 1_500;

/** The name of this window: what is opened in one is not opened in another. */
const tab = sessionStorage.getItem('window') ?? crypto.getRandomValues(new Uint32Array(2)).join('-');
sessionStorage.setItem('window', tab);

/** Reads something the stand-in knows; `ok` is false where it did not answer. */
export function ask(path, query) {
  return answerOf(fetch(`/playground/${path}?${new URLSearchParams({ ...query, tab })}`));
}

/** Does something on behalf of the person who uses the page; `ok` is false where it was not done. */
export function act(name, body) {
  return answerOf(
    fetch(`/playground/act/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, tab }),
    }),
  );
}

async function answerOf(request) {
  try {
    return await (await request).json();
  } catch {
    return { ok: false, error: 'unreachable' };
  }
}

/**
 * Listens to changes until told to stop.
 * @param {string} user
 * @param {{heard: (change: object) => void, connected: (on: boolean) => void}} doing
 * @returns {() => void} stops it
 */
export function follow(user, { heard, connected }) {
  let source;
  let again;
  const listen = () => {
    source = new EventSource(`/playground/changes?${new URLSearchParams({ as: user })}`);
    source.addEventListener('open', () => connected(true));
    source.addEventListener('message', (event) => heard(JSON.parse(event.data)));
    source.addEventListener('error', () => {
      connected(false);
      // The browser reconnects by itself, but gives up after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, retryMs);
    });
  };
  listen();
  return () => {
    clearTimeout(again);
    source.close();
  };
}
