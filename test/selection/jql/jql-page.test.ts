import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { findField } from '../../../src/selection/jql/fields.ts';
import {
  allFunctions,
  unsupportedFields,
  unsupportedFunctions,
} from '../../../src/selection/jql/functions.ts';
import { past, systemFields } from '../../../src/selection/jql/system-fields.ts';
import { withGenerated } from '../../support/generated-page.ts';
import { aWorld, issueWith } from './a-world.ts';

const page = fileURLToPath(new URL('../../../docs/jql.md', import.meta.url));

const needed = systemFields.flatMap(({ needs }) => (needs === undefined ? [] : [[needs, null]]));
const world = aWorld({ issues: [issueWith('WEB-1', Object.fromEntries(needed))] });

/** A field as a query finds it. */
function fieldCalled(name: string) {
  return findField(
    { source: name, text: name, at: 0, quoted: false, part: false },
    {
      world,
      name: { field: 'customjql', filters: [] },
      within: [],
      filters: new Map(),
      lookedUp: { redacted: new Map() },
      personal: new Set(),
    },
  );
}

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

function fieldTable(): string {
  const rows = systemFields.map(({ names }) => {
    const { operators } = fieldCalled(names[0]);
    const others = operators.filter((one) => !past.includes(one));
    const history = past.every((one) => operators.includes(one))
      ? 'yes'
      : operators.includes('changed')
        ? '`changed`'
        : 'no';
    return `| ${code(names)} | ${code(others)} | ${history} |`;
  });
  return ['| Field | Operators | History |', '|---|---|---|', ...rows, ''].join('\n');
}

function unsupportedTable(): string {
  const rows = [
    ...unsupportedFields.map(({ names, because }) => `| ${code(names)} | ${because}. |`),
    ...unsupportedFunctions.map(
      ({ names, because }) => `| ${code(names.map((name) => `${name}()`))} | ${because}. |`,
    ),
  ];
  return ['| Name | Why |', '|---|---|', ...rows, ''].join('\n');
}

test('docs/jql.md has every field and function (UPDATE=1 writes it)', () => {
  const functions = `${allFunctions.map((name) => `- \`${name}()\``).join('\n')}\n`;
  let wanted = readFileSync(page, 'utf8');
  wanted = withGenerated(wanted, 'fields', fieldTable());
  wanted = withGenerated(wanted, 'functions', functions);
  wanted = withGenerated(wanted, 'unsupported', unsupportedTable());
  if (process.env.UPDATE === '1') writeFileSync(page, wanted);
  expect(readFileSync(page, 'utf8')).toBe(wanted);
});

test('every name of a field leads to it, and none to two', () => {
  const names = systemFields.flatMap((field) => field.names.map((name) => name.toLowerCase()));
  expect(new Set(names).size).toBe(names.length);
  for (const field of systemFields) {
    const [first, ...others] = field.names;
    for (const name of [...others, first.toUpperCase()])
      expect([name, fieldCalled(name).title]).toEqual([name, fieldCalled(first).title]);
  }
});

test('nothing that is supported is also refused', () => {
  const supported = [...systemFields.flatMap(({ names }) => names), ...allFunctions];
  const refused = [...unsupportedFields, ...unsupportedFunctions].flatMap(({ names }) => names);
  const lower = supported.map((name) => name.toLowerCase());
  expect(refused.filter((name) => lower.includes(name.toLowerCase()))).toEqual([]);
});
