import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { parametersOf, readParameters } from '../../../src/api/parameters/saved-report.ts';
import { createNamespace } from '../../../src/cache/namespace.ts';
import { ended } from '../../http/exports/ended.ts';
import { aStore } from '../../support/a-store.ts';
import { storedIn } from '../../support/stored-in.ts';
import { type LeftOffice, readLeft, startOverLeft, type Who } from './left-office.ts';

/** What Dwell 0.6.0 left behind, and how it answered before. */
interface Before extends LeftOffice {
  readonly answers: readonly { who: Who; path: string; status: number; body: unknown }[];
  readonly spoken: readonly { line: string; as: string; text: string }[];
}
const before = readLeft<Before>('0.6.0');

let place: Awaited<ReturnType<typeof startOverLeft>>;
beforeAll(async () => {
  place = await startOverLeft('0.6.0', before);
});
afterAll(() => place.stop());

/** What can differ: the version, the words of refusals, and tickets, no two of which are alike. */
const changing = ['pluginVersion', 'version', 'reason', 'messages', 'downloadLink'];
/** Parameter sets say the same in other words: 0.6.0 answered names and lists as typed, now they are the contract's. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, one) =>
    changing.includes(name) ? undefined : name === 'parameters' ? parametersOf(readParameters(one)) : one,
  );
}

/** Lists of exports are those of before and what waited then. */
const isList = ({ path }: { readonly path: string }) => path === '/rest/export';

describe('over REST', () => {
  test.each(before.answers.filter((answer) => !isList(answer)))(
    '$who: $path',
    async ({ who, path, status, body }) => {
      const answer = await place.get(who, path);
      expect([answer.status, comparable(answer.json ?? answer.text)]).toEqual([status, comparable(body)]);
    },
  );
});

test('the lists of exports still have those that ended', async () => {
  for (const { who, path, body } of before.answers.filter(isList)) {
    const { json } = await place.get(who, path);
    const known: readonly unknown[] = Object(comparable(body)).exports;
    expect(Object(comparable(json)).exports).toEqual(expect.arrayContaining([...known]));
  }
});

test.each([
  ['queued-0-6', 'bob', { status: 'Successful', completed: 8, total: 8, outputType: 'JSON' }],
  ['admin-0-6', 'root', { status: 'Successful', completed: 8, total: 8, outputType: 'CSV' }],
  ['failed-0-6', 'ada', { status: 'Failed', message: 'The tracker did not answer.', bytes: null }],
] as const)('the export %s is worked on with the rights of who asked for it', async (id, who, expected) => {
  const end = await ended({ get: (path) => place.get(who, path) }, id);
  expect(end).toMatchObject(expected);
  if (expected.status === 'Successful')
    expect((await place.get(who, `/rest/export/${id}/download`)).status).toBe(200);
});

test('the export of a stranger is nobody else’s', async () => {
  expect((await place.get('ada', '/rest/export/stranger-0-6')).status).toBe(404);
  expect((await place.get('bob', '/rest/export/stranger-0-6')).status).toBe(404);
});

test('a list of pages goes on behind the page that was given out', async () => {
  const { status, json } = await place.nextPage();
  expect([status, json.messages]).toEqual([200, undefined]);
});

test.each(before.commands)('the command line tells the same: $args', async ({ args, lines }) => {
  const typed = await place.dwell.types(...args);
  // Columns of a table may have another width.
  const narrow = (line: string) => line.replaceAll(/ +/g, ' ');
  expect({ ...typed, lines: typed.lines.map(narrow) }).toEqual({ lines: lines.map(narrow), code: 0 });
});

test.each(before.spoken)('Slack answers the same: $line of $as', async ({ line, as, text }) => {
  await place.slack.types(line, { as, in: 'reef' });
  expect((await place.slack.reply()).text).toBe(text);
});

test('a question that was answered can be asked again', async () => {
  const store = await aStore(place.dwell.dataDir);
  const now = () => place.dwell.clock.now;
  const runs = createNamespace({
    name: 'run',
    ttlMs: null,
    maxEntries: null,
    now,
    backing: storedIn(store, now),
  });
  const question = { kind: 'issue', key: 'KELP-6', calendar: 'normalHours', timeZone: 'Europe/Berlin' };
  expect(await runs.values()).toContainEqual(
    expect.objectContaining({ account: 'U0ADA', question: question }),
  );
});

test('files are where those of a tenant are, and nowhere else', () => {
  const { dataDir } = place.dwell;
  expect(existsSync(join(dataDir, 'exports'))).toBe(false);
  const names = readdirSync(join(dataDir, 'tenants', 'default', 'exports'));
  expect(names).toEqual(expect.arrayContaining(Object.keys(before.files).map((name) => basename(name))));
});

/** What the app wrote by itself, by where. */
const written = () => ({
  reef: place.slack.playground
    .messages('C0REEF')
    .filter(({ byApp }) => byApp)
    .map(({ text }) => text),
  ada: place.slack.messages({ channel: 'dm', as: 'ada' }).map(({ text }) => text),
  bob: place.slack.messages({ channel: 'dm', as: 'bob' }).map(({ text }) => text),
});

test('nothing is posted twice, and digests go on at their next time', async () => {
  await place.passes(place.dwell.clock.now);
  await place.passes(Date.parse('2026-03-17T06:50:00Z'));
  expect(written()).toEqual({ reef: [], ada: [], bob: [] });
  await place.passes(Date.parse('2026-03-17T08:00:30Z'));
  expect(written()).toEqual({
    reef: [
      expect.stringMatching(/^Digest \*aging KELP\* · as of 2026-03-17 08:0/),
      expect.stringMatching(/^Time in status against usual: KELP-6 /),
    ],
    ada: [
      // Nobody wanted to hear of it for a day.
      expect.stringMatching(/^TIDE-23 .*\nIn Review for 7d 23h since 2026-03-09 09:00 UTC/),
      expect.stringMatching(/^Digest \*mine\* · late, with the figures of 2026-03-17 07:00 UTC/),
    ],
    bob: [],
  });
});

test('what was chosen for a channel and by a person still counts', async () => {
  const hours = async (as: string, where: string) => {
    await place.slack.types('/tis status', { as, in: where });
    return (await place.slack.reply()).text;
  };
  expect(await hours('bob', 'tide')).toMatch(/\*Tide watch\*, Tokyo time/);
  expect(await hours('ada', 'dm')).toContain('Reef hours');
});
