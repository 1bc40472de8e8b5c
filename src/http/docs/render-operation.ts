import { z } from 'zod';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { failuresOf, failureTextAt } from '../openapi/describe-failures.ts';
import { templateOf } from '../openapi/describe-interface.ts';
import { type DescribedParameter, describeParameters } from '../openapi/describe-parameters.ts';
import { type AnyRoute, goodStatus, type Method, takesBody } from '../route.ts';
import { escapeMarkup as text } from './markup.ts';
import { schemaTable } from './render-schema.ts';

/** One method of a route: what it takes, what it answers, and a form to try it. */
export function renderOperation(
  route: AnyRoute,
  method: Method,
  reportTypes: readonly ReportTypeFacts[],
): string {
  const [primary, ...aliases] = route.paths;
  const path = templateOf(primary);
  const parameters = describeParameters(route.parameters, reportTypes);
  const words = [method, ...route.paths, route.summary, ...parameters.map(({ name }) => name)];
  const verb = method.toUpperCase();
  return `<details class="operation" id="${method}${text(path)}" data-words="${text(words.join(' ').toLowerCase())}">
<summary><span class="method ${method}">${verb}</span><span class="path">${text(path)}</span><span class="quiet">${text(route.summary)}</span></summary>
<div>
${aliases.length === 0 ? '' : `<p>Also at ${aliases.map((alias) => `<code>${text(templateOf(alias))}</code>`).join(', ')}.</p>`}
<p>${credentials(route)}</p>
${parameters.length === 0 ? '' : parameterTable(parameters)}
${bodyMembers(route)}
<h3>Answers</h3>
${answerTable(route)}
${answerMembers(route)}
<h3>Try it</h3>
<form data-method="${verb}" data-path="${text(path)}">
<div class="fields">${parameters.map((one) => field(one, path, route.formOnly)).join('')}</div>
${takesBody(method) ? bodyField(route) : ''}
<button>Send</button>
<output></output>
</form>
</div>
</details>`;
}

function credentials({ guarded, dialect = 'reporting' }: AnyRoute): string {
  if (!guarded) return 'Needs no token.';
  return dialect === 'reporting'
    ? 'Needs a token.'
    : 'Needs a token: after <code>Bearer</code> or <code>TISJWT</code>, or as the password of its user in <code>Basic</code>.';
}

function parameterTable(parameters: readonly DescribedParameter[]): string {
  const rows = parameters.map(
    ({ name, required, schema, description }) =>
      `<tr><td><code>${text(name)}</code>${required ? ' <span class="needed">required</span>' : ''}</td><td>${allowed(schema)}</td><td>${shownDefault(schema)}</td><td>${text(description)}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th>Parameter</th><th>Allowed</th><th>Default</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function bodyMembers({ body }: AnyRoute): string {
  if (body === undefined) return '';
  const example = exampleOf(body);
  const shown = example === null ? '' : `<p>For example:</p><pre>${text(example)}</pre>`;
  return `<h3>JSON body</h3>${schemaTable(body, 'input')}${shown}`;
}

/** What a good answer in JSON holds, folded away: it is long. */
function answerMembers({ answers }: AnyRoute): string {
  const schema = answers.content['application/json'];
  const table = schema === undefined ? '' : schemaTable(schema, 'output');
  return table === '' ? '' : `<details><summary>Members of the answer</summary>${table}</details>`;
}

function answerTable(route: AnyRoute): string {
  const { answers } = route;
  const types = Object.keys(answers.content).join(', ');
  const rows = [
    [String(goodStatus(answers)), types === '' ? answers.description : `${answers.description} (${types})`],
    ...failuresOf(route).map((status) => [String(status), failureTextAt(status, route)]),
    ...Object.entries(answers.others ?? {}).map(([status, { description }]) => [status, description]),
  ];
  const cells = rows.map(([status = '', told = '']) => `<tr><td>${status}</td><td>${text(told)}</td></tr>`);
  return `<div class="scroll"><table><tbody>${cells.join('')}</tbody></table></div>`;
}

function allowed({ type, enum: words, minimum, maximum, format }: DescribedParameter['schema']): string {
  if (Array.isArray(words)) return words.map((word) => `<code>${text(String(word))}</code>`).join(' ');
  if (minimum !== undefined) return `${text(String(minimum))} to ${text(String(maximum))}`;
  if (type === 'array') return 'list, separated by commas';
  if (type === 'boolean') return '<code>true</code> <code>false</code>';
  return text(String(format ?? (type === 'string' || type === undefined ? 'text' : type)));
}

function shownDefault({ default: value }: DescribedParameter['schema']): string {
  return value === undefined ? '' : `<code>${text(String(value))}</code>`;
}

function field(
  { name, schema, required }: DescribedParameter,
  path: string,
  formOnly: readonly string[] = [],
): string {
  const place = path.includes(`{${name}}`) ? 'path' : 'query';
  const title = `${text(name)}${required ? ' *' : ''}`;
  const words = schema.type === 'boolean' ? ['true', 'false'] : schema.enum;
  if (Array.isArray(words)) {
    const options = ['', ...words].map((word) => `<option>${text(String(word))}</option>`).join('');
    return `<label>${title}<select name="${text(name)}" data-in="${place}">${options}</select></label>`;
  }
  const kind = formOnly.includes(name) ? ' type="password"' : '';
  return `<label>${title}<input${kind} name="${text(name)}" data-in="${place}" autocomplete="off" spellcheck="false"></label>`;
}

/** The JSON body, filled in with the example of its schema. */
function bodyField({ body }: AnyRoute): string {
  if (body === undefined) return '';
  return `<label>JSON body<textarea spellcheck="false">${text(exampleOf(body) ?? '{}')}</textarea></label>`;
}

function exampleOf(body: z.ZodType): string | null {
  const examples = z.globalRegistry.get(body)?.examples;
  return Array.isArray(examples) ? JSON.stringify(examples[0], null, 2) : null;
}
