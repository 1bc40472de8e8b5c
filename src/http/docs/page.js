const token = document.querySelector('#token');
const filter = document.querySelector('#filter');
const operations = [...document.querySelectorAll('details.operation')];

filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const operation of operations) {
    const text = operation.dataset.words;
    operation.hidden = !words.every((word) => text.includes(word));
  }
  for (const section of document.querySelectorAll('section')) {
    section.hidden = [...section.querySelectorAll('details.operation')].every((one) => one.hidden);
  }
});

function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
}
addEventListener('hashchange', openNamed);
openNamed();

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

async function send(form) {
  const output = form.querySelector('output');
  const button = form.querySelector('button');
  button.disabled = true;
  output.replaceChildren('…');
  try {
    const started = performance.now();
    const { url, options } = requestOf(form);
    // Or a browser would ask for a name and a password where a token does not hold.
    const response = await fetch(url, { ...options, credentials: 'omit' });
    const blob = await response.blob();
    const text = /^(text\/|application\/json)/.test(blob.type) ? await blob.text() : '';
    show(output, response, { blob, text, ms: Math.round(performance.now() - started) });
  } catch (error) {
    output.replaceChildren(node('p', 'failed', `No answer: ${error}`));
  } finally {
    button.disabled = false;
  }
}

/** The token goes into the header only: addresses are written into logs. */
function requestOf(form) {
  const { method, path } = form.dataset;
  const values = new URLSearchParams();
  let target = path;
  for (const field of form.querySelectorAll('[data-in]')) {
    if (field.dataset.in === 'path') {
      target = target.replace(`{${field.name}}`, encodeURIComponent(field.value));
    } else if (field.value !== '') values.append(field.name, field.value);
  }
  const headers = token.value.trim() === '' ? {} : { Authorization: `TISJWT ${token.value.trim()}` };
  const json = form.querySelector('textarea');
  if (json !== null) {
    headers['Content-Type'] = 'application/json';
    return { url: target, options: { method, headers, body: json.value } };
  }
  if (method === 'POST') return { url: target, options: { method, headers, body: values } };
  const query = String(values);
  return { url: query === '' ? target : `${target}?${query}`, options: { method, headers } };
}

function show(output, response, { blob, text, ms }) {
  const type = response.headers.get('content-type') ?? '';
  const told = `${response.status} ${response.statusText} · ${type} · ${blob.size} bytes · ${ms} ms`;
  output.replaceChildren(node('p', response.ok ? 'quiet' : 'failed', told));
  const shown = type.includes('json') && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text;
  // A page full of a long file would hold the browser up.
  if (shown !== '') output.append(node('pre', '', shown.slice(0, 100_000)));
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  if (name !== undefined) {
    const link = node('a', '', `Save ${name}`);
    link.href = URL.createObjectURL(blob);
    link.download = name;
    output.append(link);
  }
}

function node(name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}
