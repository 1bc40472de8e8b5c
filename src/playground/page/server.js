/** Reads something the stand-in knows. */
export async function ask(path, query) {
  const response = await fetch(`/playground/${path}?${new URLSearchParams(query)}`);
  return response.json();
}

/** Does something on behalf of the person who uses the page. */
export async function act(name, body) {
  const response = await fetch(`/playground/act/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Listens to changes until told to stop; the browser reconnects by itself. */
export function follow(user, listener) {
  const source = new EventSource(`/playground/changes?${new URLSearchParams({ as: user })}`);
  source.addEventListener('message', (event) => listener(JSON.parse(event.data)));
  return () => source.close();
}
