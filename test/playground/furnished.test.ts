import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from '#jest';
import { buildDwell } from '../../src/compose/build-dwell.ts';
import { readConfig } from '../../src/compose/config.ts';
import { exportFile, jiraIssue, movesTo } from '../support/jira-export.ts';
import { until } from '../support/local-exports.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { startedOnce } from '../support/started.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A port nothing listens at: a page of the sample is linked before its server is up. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface Shown {
  readonly user: string;
  readonly text: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly unfurls?: Readonly<Record<string, unknown>>;
}

/** All of it, once its last message and what is below its links are there. */
function conversationOf(dwell: TestDwell): Promise<readonly Shown[]> {
  return until(async () => {
    const { json } = await dwell.get('/playground/conversation', { as: 'U0ADA', id: 'C0WEB' }, {});
    const messages: readonly Shown[] = json.messages;
    const isWhole = messages.some(({ text }) => text.startsWith('Thanks!'));
    return isWhole && messages.filter(({ unfurls }) => unfurls !== undefined).length === 2 && messages;
  });
}

/** A Wednesday, at 13:00 in Berlin. */
const dwell = startedOnce(() => startFurnished('2026-03-18T12:00:00Z'));

async function startFurnished(at: string): Promise<TestDwell> {
  const environment = { PORT: String(await freePort()) };
  // Slack takes a message a second in each channel.
  return startDwell({ at, environment, slackWait: () => setTimeout(1) });
}

test('the playground opens on a morning at work: issues that wait, with pages behind their links, and a digest', async () => {
  const all = await conversationOf(dwell);
  const shown = all.filter(({ threadTs }) => threadTs === undefined);
  const timeOf = ({ ts }: Shown) => new Date(Number(ts) * 1000).toISOString().slice(0, 16);
  expect(shown.map((one) => [one.user, timeOf(one)])).toEqual([
    ['U0BOB', '2026-03-18T07:51'],
    ['U0CARL', '2026-03-18T07:54'],
    ['U0DWELL', '2026-03-18T08:00'],
    ['U0ADA', '2026-03-18T08:04'],
  ]);
  expect(shown[2]?.text).toContain('weekly WEB');
  for (const { text, unfurls = {} } of shown.slice(0, 2)) {
    const [link = ''] = Object.keys(unfurls);
    expect(text).toContain(link);
    const page = await dwell.get(new URL(link).pathname, {}, {});
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h2>History</h2>');
    // Dates are put on the clock of the person who uses the playground.
    expect(page.text).toMatch(/<time datetime="\d{4}-[^"]+Z">/);
    expect(page.text).toContain('<script type="module" src="/playground/page/issue.js">');
  }
  const none = await dwell.get('/browse/WEB-999999', {}, {});
  expect(none.status).toBe(404);
  expect(none.text).toContain('<h1>There is no issue WEB-999999</h1>');
  expect(none.text).toContain('Back to the playground');
  // What is shown below a link is as of the message it is in.
  expect(JSON.stringify(shown[0]?.unfurls)).toContain('<!date^1773820260^');
});

test('this morning’s digest counts as posted, and another one like it is warned of', async () => {
  await conversationOf(dwell);
  const answerTo = async (text: string, part: string) => {
    const { status } = await dwell.postJson('/playground/act/post', {
      user: 'U0ADA',
      channel: 'C0WEB',
      text,
    });
    expect(status).toBe(200);
    return until(async () => {
      const { json } = await dwell.get('/playground/conversation', { as: 'U0ADA', id: 'C0WEB' }, {});
      return json.messages.find((one: Shown) => one.text.includes(part)) ?? null;
    });
  };
  const list = await answerTo('/tis digest', 'Digests in');
  expect(list.text).toMatch(/last: <!date\^1773820800\^[^>]*>, posted/);
  const again = await answerTo('/tis digest weekly WEB every weekday at 9', "I'll post");
  expect(again.text).toContain(':warning: Another digest posts the same report there at these times.');
});

test('before ten past nine the digest is yesterday’s', async () => {
  const early = await startFurnished('2026-03-18T08:05:00Z');
  const all = await conversationOf(early);
  expect(new Date(Number(all[0]?.ts) * 1000).toISOString()).toMatch(/^2026-03-17T07:51/);
  await early.stop();
});

/** Starts on a folder, asks something, stops, and returns what was logged and which digests there are then. */
async function visit(dataDir: string, environment: Readonly<Record<string, string>> = {}) {
  const port = String(await freePort());
  await storeEngine.make(dataDir);
  const stored = { DATA_DIR: dataDir, ...storeEngine.environment(dataDir) };
  const settings = { ...stored, PORT: port, TIME_ZONE: 'UTC', ...environment };
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const dwell = await buildDwell(readConfig(settings), {
    now: () => Date.parse('2026-03-18T12:00:00Z'),
    clockOffset: async () => 0,
    log,
  });
  const { url, playground } = await dwell.start();
  const entered = await fetch(playground ?? '', { redirect: 'manual' });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const token = await dwell.commandLine.tokens.issue({ user: 'ada', admin: true, lifetimeMs: 60_000 });
  for (let i = 0; i < 20; i += 1) {
    await (await fetch(`${url}/rest/statuses`, { headers: { Authorization: `TISJWT ${token}` } })).text();
  }
  const conversation = await fetch(`${url}/playground/conversation?as=U0ADA&id=C0WEB`, {
    headers: { cookie },
  });
  const { messages } = (await conversation.json()) as { messages: readonly Shown[] };
  const digests = await dwell.commandLine.digests.list(
    { tenant: 'default', account: 'U0ADA', rights: 'admin' },
    'C0WEB',
  );
  await dwell.stop();
  return { logged, messages, digests };
}

test('over imported issues the playground shows nothing of the sample, and logs nothing of it', async () => {
  const dataDir = temporaryFolder();
  const before = await startDwell({ dataDir });
  const issue = jiraIssue('ONE-1').at('2026-03-03T09:00:00Z', movesTo('In Progress')).onCloud();
  await before.types('import', exportFile([issue]));
  await before.stop();
  expect(await visit(dataDir)).toEqual({ logged: [], messages: [], digests: [] });
});

test('over a Jira that is not read yet neither', async () => {
  const refused = await freePort();
  const { logged, messages, digests } = await visit(temporaryFolder(), {
    JIRA_BASE_URL: `http://127.0.0.1:${refused}`,
    JIRA_PAT: 'a-token',
  });
  expect([messages, digests]).toEqual([[], []]);
  expect(logged.filter((line) => !line.includes('sync failed'))).toEqual([]);
});
