import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { parametersOf, readParameters } from '../../../src/api/parameters/saved-report.ts';
import { createNamespace } from '../../../src/cache/namespace.ts';
import { ended } from '../../http/exports/ended.ts';
import { aStore } from '../../support/a-store.ts';
import { fixture } from '../../support/fixture.ts';
import { leftFolder } from '../../support/left-folder.ts';
import { slackPerson } from '../../support/slack-person.ts';
import type { RestAnswer } from '../../support/start-dwell.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { storedIn } from '../../support/stored-in.ts';

type Who = 'ada' | 'root' | 'bob' | 'off';

/** What Dwell 0.6.0 left behind, and how it answered before; `root` is ada as an admin, `off` a deactivated token. */
interface Before {
  readonly files: Readonly<Record<string, string>>;
  readonly at: string;
  readonly tokens: Readonly<Record<Who, string>>;
  readonly exports: { readonly done: string; readonly admin: string };
  readonly nextPageToken: string;
  readonly answers: readonly { who: Who; path: string; status: number; body: unknown }[];
  readonly commands: readonly { args: string[]; lines: string[] }[];
  readonly spoken: readonly { line: string; as: string; text: string }[];
}
const before: Before = JSON.parse(readFileSync(fixture('dwell-0.6.0.json'), 'utf8'));

const MINUTE = 60_000;
const people = [slackPerson('ada', { admin: true }), slackPerson('bob'), slackPerson('zoe')].map(
  (person) => ({ ...person, tz: 'Europe/Berlin' }),
);
const members = people.map(({ id }) => id);

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  place = await startDwellInSlack({
    ...{ dataDir: leftFolder('dwell-0.6.0.sql', before.files), people, at: before.at },
    channels: [
      { id: 'C0REEF', name: 'reef', members },
      { id: 'C0TIDE', name: 'tide', members },
    ],
    environment: { TRACKER: 'file', TIME_ZONE: 'Europe/Berlin', BASE_URL: 'https://dwell.example' },
  });
});
afterAll(() => place.stop());

const headersOf = (who: Who) => ({ Authorization: `TISJWT ${before.tokens[who]}` });
const get = (who: Who, path: string): Promise<RestAnswer> => place.dwell.send('GET', path, headersOf(who));

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
      const answer = await get(who, path);
      expect([answer.status, comparable(answer.json ?? answer.text)]).toEqual([status, comparable(body)]);
    },
  );
});

test('the lists of exports still have those that ended', async () => {
  for (const { who, path, body } of before.answers.filter(isList)) {
    const { json } = await get(who, path);
    const known: readonly unknown[] = Object(comparable(body)).exports;
    expect(Object(comparable(json)).exports).toEqual(expect.arrayContaining([...known]));
  }
});

test.each([
  ['queued-0-6', 'bob', { status: 'Successful', completed: 8, total: 8, outputType: 'JSON' }],
  ['admin-0-6', 'root', { status: 'Successful', completed: 8, total: 8, outputType: 'CSV' }],
  ['failed-0-6', 'ada', { status: 'Failed', message: 'The tracker did not answer.', bytes: null }],
] as const)('the export %s is worked on with the rights of who asked for it', async (id, who, told) => {
  const end = await ended({ get: (path) => get(who, path) }, id);
  expect(end).toMatchObject(told);
  if (told.status === 'Successful') expect((await get(who, `/rest/export/${id}/download`)).status).toBe(200);
});

test('the export of a stranger is nobody else’s', async () => {
  expect((await get('ada', '/rest/export/stranger-0-6')).status).toBe(404);
  expect((await get('bob', '/rest/export/stranger-0-6')).status).toBe(404);
});

test('a list of pages goes on behind the page that was given out', async () => {
  const { nextPageToken } = before;
  const question = 'filterType=project&projectKey=KELP&columnsBy=statusDuration&pageSize=3';
  const { status, json } = await get('ada', `/rest/issues/v2?${question}&nextPageToken=${nextPageToken}`);
  expect([status, json.messages]).toEqual([200, undefined]);
});

test.each(before.commands)('the command line tells the same: $args', async ({ args, lines }) => {
  expect(await place.dwell.types(...args)).toEqual({ lines, code: 0 });
});

test.each(before.spoken)('Slack answers the same: $line of $as', async ({ line, as, text }) => {
  expect((await place.slack.answerTo(line, { as, in: 'reef' })).text).toBe(text);
});

test('a question that was answered can be asked again', async () => {
  const store = await aStore(place.dwell.dataDir);
  const now = () => place.dwell.clock.now;
  const runs = createNamespace({ name: 'run', ttlMs: null, most: null, now, backing: storedIn(store, now) });
  const asked = { kind: 'issue', key: 'KELP-6', calendar: 'normalHours', timeZone: 'Europe/Berlin' };
  expect(await runs.values()).toContainEqual(expect.objectContaining({ account: 'U0ADA', question: asked }));
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

/** Looks for what is due now, as the clock has it do; time is believed once it was seen twice. */
async function passes(): Promise<void> {
  for (const _ of [1, 2]) {
    await place.dwell.tellsDigests();
    await place.dwell.tellsWatches();
    place.dwell.clock.now += MINUTE;
  }
}

test('nothing is posted twice, and digests go on at their next time', async () => {
  await passes();
  place.dwell.clock.now = Date.parse('2026-03-17T06:50:00Z');
  await passes();
  expect(written()).toEqual({ reef: [], ada: [], bob: [] });
  place.dwell.clock.now = Date.parse('2026-03-17T08:00:30Z');
  await passes();
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
    return (await place.slack.answerTo('/tis status', { as, in: where })).text;
  };
  expect(await hours('bob', 'tide')).toMatch(/\*Tide watch\*, Tokyo time/);
  expect(await hours('ada', 'dm')).toContain('Reef hours');
});
