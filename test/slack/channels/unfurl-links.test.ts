import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { isLinkOf, linkKey } from '../../../src/model/issues/issue-link.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { createRecentUnfurls, unfurlBlocks, unfurlLinks } from '../../../src/slack/channels/unfurl-links.ts';
import { anIssueAnswer, aStage } from '../../support/an-answer.ts';
import { until } from '../../support/local-exports.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { transports } from '../../support/transports.ts';

const base = 'https://jira.example/browse/';

describe.each(transports)('links over %s', (mode) => {
  const place = startedOnce(() =>
    startTeamInSlack(mode, {
      site: 'https://jira.example',
      events: ['link_shared'],
      unfurlDomains: ['jira.example'],
    }),
  );

  /** What is shown below a message, once it is. */
  const shownBelow = (ts: string | undefined) =>
    until(() => {
      const found = place.slack.messages({ channel: 'team' }).find((message) => message.ts === ts);
      return found?.unfurls === undefined ? null : JSON.stringify(found.unfurls);
    });

  test('show one compact block below the message where the channel wants it', async () => {
    const { text } = await place.says('/tis unfurl on', { as: 'zoe' });
    for (const word of ['links:read', 'links:write', 'link_shared', 'App unfurl domains'])
      expect(text).toContain(word);
    const { message } = await place.slack.types(`look: ${base}WEB-3`, { as: 'bob', in: 'team' });
    const shown = await shownBelow(message?.ts);
    expect(shown).toContain(`<${base}WEB-3|WEB-3>`);
    expect(shown).toMatch(/✅ \*Took 7d\* from start to done \(Mar 3–10\) · .*finished by @Grace/);
    expect(shown).toContain('Assumed category: To Do for To Do.');
    expect(shown).toContain('In Progress 7d');
    expect((await place.says('/tis unfurl maybe')).text).toContain('You can run `/tis unfurl`.');
    expect((await place.says('/tis unfurl off')).text).toContain('Previews of issue links are off here.');
  });

  test('tell the pace of open issues against what is usual there', async () => {
    await place.says('/tis unfurl on');
    const { message } = await place.slack.types(`${base}APP-3?focusedId=1`, { as: 'ada', in: 'team' });
    // Two issues are too few to tell, and one of them is not for everybody.
    expect(await shownBelow(message?.ts)).toMatch(/\*In Progress for 2d 3h\* · unassigned since Mar 16\\n/);
  });
});

/** A listener in a channel, and what it unfurled. What is told of an issue depends on its project. */
function listening(
  more: {
    readonly unfurls?: boolean;
    readonly withLevel?: number;
    readonly others?: number;
    readonly isGuest?: boolean;
  } = {},
) {
  const clock = { now: Date.parse('2026-11-18T12:00:00Z') };
  const unfurled: string[] = [];
  let fails = false;
  const { isGuest = false } = more;
  let events = 0;
  const nextId = () => {
    events += 1;
    return `Ev${events}`;
  };
  const parts = {
    now: () => clock.now,
    timeZone: 'UTC',
    log: pino({ level: 'silent' }),
    people: { tenant: 'default', users: async () => new Map(), linkOf: async () => null },
    accounts: { profileOf: async () => ({ refused: null, standing: 'ours', isGuest, email: null }) },
    channels: {
      channel: async () => ({
        unfurls: more.unfurls ?? true,
        projects: null,
        calendar: null,
        timeZone: null,
      }),
    },
    settings: { defaultCalendar: async () => 'normalHours' },
    channelFacts: { outsidersIn: async () => ({ kind: 'none' }) },
    reporting: { browseScope: async () => ({ closedProjects: ['OPS'] }) },
    answers: {
      async ask(_kind: unknown, _principal: unknown, { key }: { key: string }) {
        if (key === 'WEB-404') throw new AppError('unknown-issue', 'No such issue.');
        if (key === 'WEB-500') throw new Error('a bug');
        const [project = ''] = key.split('-');
        const ownScope = { projects: [project], issues: 1, withLevel: more.withLevel ?? 0 };
        const answer = anIssueAnswer({ key, link: `${base}${key}`, ownScope, usual: { p85Ms: 3_600_000 } });
        return { ...answer, contents: { ...ownScope, withLevel: ownScope.withLevel + (more.others ?? 0) } };
      },
    },
    audit: { leaving: async () => {} },
    web: {
      chat: {
        async unfurl({ unfurls }: { unfurls: Record<string, unknown> }) {
          if (fails) throw new Error('cannot_unfurl_url');
          unfurled.push(JSON.stringify(unfurls));
        },
      },
    },
  } as unknown as SlackParts;
  const listener = unfurlLinks(parts);
  return {
    clock,
    unfurled,
    breaks: (broken: boolean) => {
      fails = broken;
    },
    /** Links in one message; how many unfurls there were by then. */
    async posts(urls: readonly string[], event: Readonly<Record<string, unknown>> = {}, id = nextId()) {
      await listener({
        body: { event_id: id },
        event: {
          channel: 'C0TEAM',
          user: 'U0ADA',
          message_ts: '1.1',
          source: 'conversations_history',
          links: urls.map((url) => ({ url, domain: 'jira.example' })),
          ...event,
        },
      } as unknown as Parameters<typeof listener>[0]);
      return unfurled.length;
    },
  };
}

describe('a link shows nothing', () => {
  test.each<[string, readonly string[]]>([
    ['beside two others', ['WEB-1', 'WEB-2', 'WEB-3'].map((key) => base + key)],
    ['to an issue that nobody, or not who posted it, can see', [`${base}WEB-404`]],
    ['to an issue others in the channel may not see', [`${base}OPS-1`]],
    ['to a part of an issue', [`${base}WEB-1/comments`]],
    ['to another tracker', ['https://other.example/browse/WEB-1']],
    ['to a list', ['https://jira.example/issues/?jql=key=WEB-1']],
    ['to an issue that cannot be told for a bug of ours', [`${base}WEB-500`]],
  ])('%s', async (_what, urls) => {
    expect(await listening().posts(urls)).toBe(0);
  });

  test('where the channel did not ask for it, nor to an issue with a security level', async () => {
    expect(await listening({ unfurls: false }).posts([`${base}WEB-1`])).toBe(0);
    expect(await listening({ withLevel: 1 }).posts([`${base}WEB-1`])).toBe(0);
  });

  test('of a guest whom the tracker does not know', async () => {
    expect(await listening({ isGuest: true }).posts([`${base}WEB-1`])).toBe(0);
  });

  test('while the message is still being written', async () => {
    expect(await listening().posts([`${base}WEB-1`], { source: 'composer', channel: 'COMPOSER' })).toBe(0);
  });

  test('twice in half an hour, or twice for one event', async () => {
    const { posts, clock } = listening();
    expect(await posts([`${base}WEB-1`], {}, 'Ev')).toBe(1);
    expect(await posts([`${base}WEB-2`], {}, 'Ev')).toBe(1);
    clock.now += 30 * 60_000 - 1;
    expect(await posts([`${base}WEB-1`])).toBe(1);
    expect(await posts([`${base}WEB-1`], { channel: 'C0OTHER' })).toBe(2);
    clock.now += 1;
    expect(await posts([`${base}WEB-1`])).toBe(3);
  });
});

test('what Slack refused to show may be shown the next time', async () => {
  const { posts, breaks } = listening();
  breaks(true);
  expect(await posts([`${base}WEB-1`])).toBe(0);
  breaks(false);
  expect(await posts([`${base}WEB-1`])).toBe(1);
});

test('of two links the one that everyone here can see is shown, against what is usual', async () => {
  const { posts, unfurled } = listening();
  await posts([`${base}OPS-1`, `${base}WEB-1`]);
  expect(unfurled).toHaveLength(1);
  expect(unfurled[0]).not.toContain('OPS');
  expect(unfurled[0]).toContain('🟠 *Doing for 1d* with @Ada since Nov 17 · 24× usual (1h)');
});

test('what is usual stays out where it was learned from issues that not everyone here can see', async () => {
  const { posts, unfurled } = listening({ others: 3 });
  await posts([`${base}WEB-1`]);
  expect(unfurled[0]).toContain('*Doing for 1d* with @Ada since Nov 17');
  expect(unfurled[0]).not.toContain('usual');
});

test.each<[string, string | null]>([
  ['https://jira.example/browse/web-1', 'WEB-1'],
  ['https://jira.example/jira/browse/WEB-1/', 'WEB-1'],
  ['https://jira.example/browse/WEB-1?focusedId=3#c', 'WEB-1'],
  ['https://jira.example/browse/WEB', null],
  ['https://jira.example/browse/WEB-1/x', null],
  ['javascript:/browse/WEB-1', null],
  ['no link', null],
])('the issue of %s', (url, key) => {
  expect(linkKey(url)).toBe(key);
});

test('a link is an issue’s own by its host and path alone', () => {
  const own = 'https://jira.example/browse/WEB-1';
  expect(isLinkOf('https://JIRA.example/browse/web-1/?a=b', own)).toBe(true);
  expect(isLinkOf('https://jira.example.evil.example/browse/WEB-1', own)).toBe(false);
  expect(isLinkOf('https://jira.example:8443/browse/WEB-1', own)).toBe(false);
  expect(isLinkOf(own, null)).toBe(false);
});

test.each([
  '/jira/software/c/projects/WEB/boards/1?selectedIssue=WEB-1',
  '/jira/software/projects/WEB/boards/7/backlog?view=detail&selectedIssue=web-1',
  '/projects/WEB/boards/1?selectedIssue=WEB-1',
  '/jira/software/projects/WEB/issues/WEB-1?filter=allissues',
])('a link to an issue on a board is one to the issue: %s', (path) => {
  expect(linkKey(`https://jira.example${path}`)).toBe('WEB-1');
  expect(isLinkOf(`https://jira.example${path}`, 'https://jira.example/browse/WEB-1')).toBe(true);
  expect(isLinkOf(`https://jira.example${path}`, 'https://jira.example/browse/WEB-2')).toBe(false);
  expect(isLinkOf(`https://other.example${path}`, 'https://jira.example/browse/WEB-1')).toBe(false);
  expect(isLinkOf(`https://jira.example${path}`, 'https://jira.example/tracker/browse/WEB-1')).toBe(false);
});

test('what was shown is forgotten in the end, oldest first', async () => {
  const clock = { now: 0 };
  const recent = createRecentUnfurls(() => clock.now, undefined);
  expect([await recent.beginEvent('Ev1'), await recent.beginEvent('Ev1')]).toEqual([true, false]);
  for (let i = 0; i < 20_000; i += 1) {
    await recent.beginIssue('C0', `WEB-${i}`);
    await recent.beginEvent(`Ev${i + 2}`);
  }
  const issues = [await recent.beginIssue('C0', 'WEB-19999'), await recent.beginIssue('C0', 'WEB-1')];
  expect(issues).toEqual([false, true]);
  expect([await recent.beginEvent('Ev20001'), await recent.beginEvent('Ev1')]).toEqual([false, true]);
});

test('what was shown is not shown once more because a clock was set', async () => {
  const clock = { now: 1_000_000 };
  const recent = createRecentUnfurls(() => clock.now, undefined);
  expect([await recent.beginEvent('Ev1'), await recent.beginIssue('C0', 'WEB-1')]).toEqual([true, true]);
  clock.now -= 5;
  expect([await recent.beginEvent('Ev1'), await recent.beginIssue('C0', 'WEB-1')]).toEqual([false, false]);
  clock.now += 1_000_000_000;
  expect([await recent.beginEvent('Ev1'), await recent.beginIssue('C0', 'WEB-1')]).toEqual([false, true]);
});

test.each([0, 1, 10, 10_000])('what is shown of an issue with %i statuses fits', (count) => {
  const names = ['Doing', '<!channel>', 'בבדיקה', '👩‍👩‍👧‍👦'.repeat(50), 'x'.repeat(400)];
  const answer = anIssueAnswer({
    summary: `<!channel> ${'👩‍👩‍👧‍👦'.repeat(200)}`,
    link: 'https://jira.example/browse/WEB-1',
    stages: Array.from({ length: count }, (_, i) =>
      aStage(`${names[i % names.length]}`, 3_600_000 * (i + 1)),
    ),
  });
  const blocks = unfurlBlocks(answer.value, 'UTC');
  expect(checkBlocks(blocks, 'message')).toEqual([]);
  expect(JSON.stringify(blocks)).not.toContain('<!channel>');
  expect(JSON.stringify(blocks).length).toBeLessThan(2_500);
});
