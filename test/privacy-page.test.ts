import { readFileSync } from 'node:fs';
import { expect, test } from '#jest';
import { settingsSchema } from '../src/compose/settings-schema.ts';
import { auditedDocuments, auditedWork } from '../src/store/audited-kinds.ts';
import { tables } from '../src/store/sql/tables.ts';

const page = readFileSync(new URL('../docs/privacy.md', import.meta.url), 'utf8');
const [, table = ''] = /<!-- kinds: begin -->(.*)<!-- kinds: end -->/s.exec(page) ?? [];
const rows = table.split('\n').flatMap((line) => {
  const [, kinds, ...cells] = line.split('|').map((cell) => cell.trim());
  return kinds?.startsWith('`') ? [{ kinds: namesIn(kinds), cells }] : [];
});

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);
}

test('docs/privacy.md has a line for each table and each kind that is stored, and no other', () => {
  const stored = [tables, auditedDocuments, auditedWork].flatMap((all) => Object.keys(all));
  expect(rows.flatMap(({ kinds }) => kinds).toSorted()).toEqual([...new Set(stored)].toSorted());
});

test('docs/privacy.md names settings that there are', () => {
  const settings = rows.flatMap(({ cells }) => cells.flatMap(namesIn));
  expect(settings.filter((name) => !(name in settingsSchema.shape))).toEqual([]);
  expect(settings).toEqual(expect.arrayContaining(['AUDIT_DAYS', 'AUDIT_QUESTION_DAYS', 'DELEGATION_DAYS']));
});
