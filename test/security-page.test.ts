import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import { expect, test } from '#jest';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, threats = ''] = readFileSync(`${root}docs/security.md`, 'utf8').split(/^## Threats$/m);
const [tables = ''] = threats.split(/^## /m);

/** The cells of each line of the tables: the threat, what holds, and the tests. */
const lines = tables
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Threat |'))
  .map((line) => line.slice(2, -2).split(' | '));

/** The names of the tests in a file and of their groups, as they are written there. */
function testNamesIn(file: string): readonly string[] {
  const source = readFileSync(`${root}test/${file}`, 'utf8');
  const { program } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript', 'explicitResourceManagement'],
  });
  const names: string[] = [];
  collect(program, names);
  return names;
}

function collect(node: unknown, names: string[]): void {
  if (Array.isArray(node)) for (const one of node) collect(one, names);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  if ('type' in node && node.type === 'CallExpression' && 'callee' in node && 'arguments' in node) {
    const [name] = node.arguments as readonly { type: string; value?: string }[];
    if (name?.type === 'StringLiteral' && /^(?:test|describe)/.test(calledName(node.callee)))
      names.push(name.value ?? '');
  }
  for (const value of Object.values(node)) collect(value, names);
}

/** The first word of what is called: `test` of `test.each(rows)(…)`. */
function calledName(callee: unknown): string {
  const { name, object, callee: inner } = callee as { name?: string; object?: unknown; callee?: unknown };
  return name ?? (object === undefined && inner === undefined ? '' : calledName(object ?? inner));
}

/** The problems of a cell that names files and, after each, tests in it. */
function problemsOf(cell: string): readonly string[] {
  const files = [...cell.matchAll(/`test\/([^`]+\.test\.ts)`((?:,? `[^`]+(?<!\.test\.ts)`)*)/g)];
  if (files.map(([all]) => all).join('; ') !== cell) return [`'${cell}' is more than files and their tests`];
  return files.flatMap(([, file = '', names = '']) => {
    if (!existsSync(`${root}test/${file}`)) return [`there is no test/${file}`];
    const there = testNamesIn(file);
    const named = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    if (named.length === 0 && there.length !== 1) return [`test/${file} has several tests: name one`];
    return named.filter((name) => !there.includes(name)).map((name) => `test/${file} has no test '${name}'`);
  });
}

test('each threat of docs/security.md says what holds, and names tests that are there', () => {
  expect(lines.length).toBeGreaterThan(60);
  expect(lines.filter((cells) => cells.length !== 3 || cells.includes(''))).toEqual([]);
  expect(lines.flatMap(([, , tests = '']) => problemsOf(tests))).toEqual([]);
});
