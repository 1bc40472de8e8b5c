import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { settings, settingsSchema } from '../../src/compose/settings-schema.ts';
import { withGenerated } from '../support/generated-page.ts';

const page = fileURLToPath(new URL('../../docs/settings.md', import.meta.url));
const example = readFileSync(fileURLToPath(new URL('../../.env.example', import.meta.url)), 'utf8');

/** What a setting is where nothing is set; empty where it has no default. */
function defaultOf(name: keyof typeof settingsSchema.shape): string {
  const value = settingsSchema.shape[name].parse(undefined);
  return value === undefined ? '' : String(value);
}

/** What the refusal of a control character, which no setting takes, says to try. */
function allowedOf(name: keyof typeof settingsSchema.shape): string {
  const [issue] = settingsSchema.shape[name].safeParse('\u0000').error?.issues ?? [];
  return issue?.message.replace(/^Try: /, '') ?? '';
}

function tableOf(group: object): string {
  const names = settingsSchema.keyof().options.filter((name) => name in group);
  const rows = names.map((name) => {
    const { description = '' } = settingsSchema.shape[name];
    return `| \`${name}\` | ${defaultOf(name)} | ${description} | ${allowedOf(name)} |`;
  });
  return ['| Name | Default | Meaning | Values |', '|---|---|---|---|', ...rows, ''].join('\n');
}

test('docs/settings.md has every setting (UPDATE=1 writes it)', () => {
  const wanted = Object.entries(settings).reduce(
    (text, [name, group]) => withGenerated(text, name, tableOf(group)),
    readFileSync(page, 'utf8'),
  );
  if (process.env.UPDATE === '1') writeFileSync(page, wanted);
  expect(readFileSync(page, 'utf8')).toBe(wanted);
});

test('every setting says what it means', () => {
  for (const [name, { description }] of Object.entries(settingsSchema.shape))
    expect([name, description]).toEqual([name, expect.stringMatching(/\w{3}/)]);
});

test('.env.example has every setting and no others, with its default or an example that is taken', () => {
  const lines = [...example.matchAll(/^(#?) ?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
    ([, off, name = '', value = '']) => ({
      isSet: off === '',
      name,
      value,
    }),
  );
  expect(lines.map(({ name }) => name).sort()).toEqual([...settingsSchema.keyof().options].sort());
  for (const { isSet, name, value } of lines) {
    const given = { [name]: value };
    const read = settingsSchema.safeParse(value === '' ? {} : given);
    expect([name, read.error]).toEqual([name, undefined]);
    if (isSet) expect([name, read.data]).toEqual([name, settingsSchema.parse({})]);
  }
});
