// Shows the description of the interface, without aliases and without forms of what can be asked by an address. Samples
// and groups of parameters, which the renderer does not know, become part of what it shows.
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
const description = await (await fetch('openapi.json')).json();
for (const [path, item] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (operation['x-alias-of'] !== undefined || operation['x-form-of'] !== undefined) {
      delete item[method];
      continue;
    }
    const [sample] = operation['x-codeSamples'];
    operation.description += `\n\n\`\`\`sh\n${sample.source}\n\`\`\``;
    const seen = new Set();
    operation.parameters.sort((a, b) => order(a['x-group']) - order(b['x-group']));
    for (const parameter of operation.parameters) {
      parameter['x-heads'] = operation.parameters.length > 8 && !seen.has(parameter['x-group']);
      seen.add(parameter['x-group']);
    }
  }
  if (Object.keys(item).length === 0) delete description.paths[path];
}

// Requests are sent to where the page came from, whatever name that has.
description.servers = [
  { url: new URL('.', location.href).href.replace(/\/$/, ''), description: 'This Dwell' },
];

function order(group) {
  return ['Which issues', 'What is measured', 'Which time counts', 'The answer'].indexOf(group);
}

/** A headline above the first parameter of a group. */
const groups = ({ React }) => ({
  wrapComponents: {
    parameterRow: (Row) => (props) => {
      const row = React.createElement(Row, props);
      if (!props.param.get('x-heads')) return row;
      const cell = React.createElement('td', { colSpan: 2 }, props.param.get('x-group'));
      const head = React.createElement('tr', { className: 'parameters-group' }, cell);
      return React.createElement(React.Fragment, null, head, row);
    },
  },
});

SwaggerUIBundle({
  spec: description,
  dom_id: '#docs',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [groups],
});
