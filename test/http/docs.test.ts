import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '#jest';
import { describeParameters } from '../../src/http/openapi/describe-parameters.ts';
import { routes } from '../../src/http/routes/index.ts';
import { delegationInputSchema } from '../../src/http/wire/delegation-schema.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell;
let page: Awaited<ReturnType<TestDwell['get']>>;
beforeAll(async () => {
  dwell = await startDwell();
  page = await dwell.get('/docs', {}, {});
});
afterAll(() => dwell.stop());

const between = (start: string, end: string) => page.text.split(start)[1]?.split(end)[0] ?? '';
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the page needs no token, loads nothing and runs only its own script', () => {
  expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src ${hashOf(between('<script>', '</script>'))};`);
  expect(policy).toContain(`style-src ${hashOf(between('<style>', '</style>'))};`);
  expect(policy).not.toMatch(/unsafe|http|\*/);
  expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(page.text).not.toMatch(/ style="| on\w+="/);
});

test('its script is one that runs', () => {
  expect(() => new Script(between('<script>', '</script>'))).not.toThrow();
});

test('it tells every path, parameter, word and default', () => {
  for (const { paths, parameters, summary } of routes) {
    expect(page.text).toContain(summary);
    for (const path of paths) expect(page.text).toContain(`>${path.replaceAll(/:(\w+)/g, '{$1}')}<`);
    for (const { name, schema, description } of describeParameters(parameters, [])) {
      expect(page.text).toContain(`<code>${name}</code>`);
      if (!/["'&<>]/.test(description)) expect(page.text).toContain(`<td>${description}</td>`);
      const words = Array.isArray(schema.enum) ? schema.enum : [];
      for (const word of words) expect(page.text).toContain(`<code>${word}</code>`);
      if (schema.default !== undefined) expect(page.text).toContain(`<code>${schema.default}</code>`);
    }
  }
});

test('every operation has a form with a field per parameter, and an example where it takes JSON', () => {
  for (const { methods, paths, parameters, body } of routes) {
    for (const method of methods) {
      const form = between(
        `data-method="${method.toUpperCase()}" data-path="${paths[0].replaceAll(/:(\w+)/g, '{$1}')}"`,
        '</form>',
      );
      const fields = [...form.matchAll(/ name="(\w+)"/g)].map(([, name]) => name);
      expect(fields).toEqual(describeParameters(parameters, []).map(({ name }) => name));
      expect(form.includes('<textarea')).toBe(body !== undefined);
      if (body !== undefined) expect(form).toContain('&quot;');
    }
  }
});

test('the members of a JSON body that must be sent are marked, and an example stands beside them', () => {
  const operation = between('id="post/rest/delegation/api/1.0/delegation"', '<h3>Try it</h3>');
  const body = operation.split('<h3>JSON body</h3>')[1]?.split('<h3>Answers</h3>')[0] ?? '';
  const members = [...body.matchAll(/<code>(\w+)<\/code>( <span class="needed">required<\/span>)?<\/td>/g)];
  expect(members.map(([, name, mark]) => [name, mark !== undefined])).toEqual([
    ['active', false],
    ['delegator', true],
    ['delegates', true],
    ['categoryIds', false],
    ['startDate', true],
    ['endDate', true],
    ['notes', false],
  ]);
  const example = JSON.parse((body.split('<pre>')[1]?.split('</pre>')[0] ?? '').replaceAll('&quot;', '"'));
  expect(delegationInputSchema.safeParse(example).error).toBeUndefined();
  expect(operation.split('Members of the answer')[1]).not.toContain('class="needed"');
});

test('its elements are closed in the order they were opened', () => {
  const open: string[] = [];
  const markup = page.text
    .replace(/<script>.*?<\/script>/s, '')
    .replace(/<style>.*?<\/style>/s, '')
    .replace('<!doctype html>', '');
  const alone = new Set(['meta', 'input']);
  for (const [, slash, name = ''] of markup.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (alone.has(name)) continue;
    if (slash === '/') expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
});
