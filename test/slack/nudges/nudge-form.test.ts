import { describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { until } from '../../support/local-exports.ts';
import { startNudgesInSlack } from '../../support/nudges-in-slack.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { startedEach } from '../../support/started.ts';

const POST = 'chat.postMessage';

const place = startedEach(() => startNudgesInSlack());

/** Delegates everything of one person to another from a minute ago on. */
async function isAway(delegator: string, delegates: readonly string[], startDate = '2026-03-18T11:59Z') {
  const boss = place.dwell.as('ada', { admin: true });
  const { status } = await boss.postJson('/rest/delegation/api/1.0/delegation', {
    ...{ delegator, delegates, startDate, endDate: '2026-03-21T00:00Z' },
  });
  expect(status).toBe(200);
}

/** The direct message that a person gets about an issue, and the answer of the modal. */
async function sends(
  key: string,
  { as = 'ada', comment = '', on }: { as?: string; comment?: string; on?: Message } = {},
) {
  const { isForm } = await place.opens(on ?? (await place.says(`/tis ${key}`, as)), { as });
  expect(isForm).toBe(true);
  return place.submits(comment === '' ? {} : { comment }, as);
}

describe('the form of a nudge', () => {
  test('shows the message, the person it goes to and where the answer comes, before anything is sent', async () => {
    const { text, isForm } = await place.opens(await place.says('/tis WEB-6'));
    expect(isForm).toBe(true);
    expect(text.split('\n').slice(0, 4)).toEqual([
      '*To:* <@U0BEN>',
      '<@U0ADA> asks how this is going.',
      '*<https://tracker.example/browse/WEB-6|WEB-6> · What WEB-6 is about*',
      'In Progress for 4d',
    ]);
    expect(text).toContain('The answer comes to you as a direct message.');
    expect(place.direct('ben')).toEqual([]);
  });

  test.each(['/tis aging WEB', '/tis weekly WEB'])('opens from %s', async (line) => {
    const { isForm } = await place.opens(await place.says(line));
    expect(isForm).toBe(true);
  });

  test('says that the answer comes to the thread where everyone there can see the issue', async () => {
    const { text } = await place.opens(await place.shared('WEB-6'), { as: 'cleo' });
    expect(text).toContain('The answer comes as a reply in <#C0TEAM>.');
  });

  test('names the person who covers, and says why they are asked', async () => {
    await isAway('ben', ['cleo']);
    const { text } = await place.opens(await place.says('/tis WEB-6'));
    expect(text).toContain('*To:* <@U0CLEO>, who covers for ben');
    expect(text).toContain('You get this because you cover for ben.');
    expect(await place.submits({})).toBe('Sent to <@U0CLEO>. The answer comes to you as a direct message.');
    expect(place.direct('cleo')).toHaveLength(1);
    expect(place.direct('ben')).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>, string]>([
    [
      'away and not covered',
      'WEB-6',
      async () => {
        await isAway('ben', ['cleo']);
        await isAway('cleo', ['ben']);
      },
      'ben is away, and no one covers for them.',
    ],
    [
      'covered by the person who asks',
      'WEB-6',
      () => isAway('ben', ['ada']),
      'You cover for ben, so there is no one to nudge.',
    ],
    ['not allowed to see the issue', 'OPS-1', async () => {}, "ben can't see OPS-1 in the tracker."],
  ])('says that nothing can be sent where the assignee is %s', async (_what, key, plant, sentence) => {
    await plant();
    const { text, isForm } = await place.opens(await place.says(`/tis ${key}`));
    expect([isForm, text.split('\n').at(-1)]).toEqual([false, sentence]);
    expect(place.direct('ben')).toEqual([]);
  });

  test('does not open for a person who cannot see the issue, and says nothing about it', async () => {
    await place.dwell.types('audience', 'C0TEAM', 'allow', 'OPS');
    const shared = await place.shared('OPS-1');
    const { text, isForm } = await place.opens(shared, { as: 'zoe' });
    expect(isForm).toBe(false);
    expect(text).toBe("You can't see this issue, or it no longer exists.");
  });
});

describe('a nudge', () => {
  test('names the issue, its time in the status, who asks and their comment, with three answers', async () => {
    expect(await sends('WEB-6', { comment: 'Anything <!channel> I can do? *Please*\n@here' })).toBe(
      'Sent to <@U0BEN>. The answer comes to you as a direct message.',
    );
    const [message] = place.direct('ben');
    expect(message?.text).toContain(
      '<@U0ADA> asks how this is going. WEB-6 · What WEB-6 is about\nIn Progress for 4d',
    );
    const blocks = JSON.stringify(message?.blocks);
    expect(blocks).toContain('> Anything &lt;!channel&gt; I can do? *Please*\\n> @here');
    expect(blocks).not.toContain('<!channel>');
    for (const button of ['On it', 'Blocked because …', 'Snooze until …']) expect(blocks).toContain(button);
  });

  test('is sent once on a day of the person, and says by whom and when before', async () => {
    // Four minutes to midnight in New York.
    place.dwell.clock.now = Date.parse('2026-03-19T03:56:00Z');
    await sends('WEB-6');
    place.dwell.clock.now += 180_000;
    const again = async (as: string) => place.opens(await place.says('/tis WEB-6', as), { as });
    const { text, isForm } = await again('cleo');
    expect(isForm).toBe(false);
    expect(text).toMatch(
      /Nothing was sent: <@U0ADA> already nudged <@U0BEN> about WEB-6 <!date\^1773892560\^.*>\. People are asked once a day\. There is no answer yet\./,
    );
    expect((await again('ada')).text).toContain('Nothing was sent: you already nudged <@U0BEN>');
    expect(place.direct('ben')).toHaveLength(1);
    place.dwell.clock.now += 61_000;
    expect((await again('cleo')).isForm).toBe(true);
    await place.submits({}, 'cleo');
    expect(place.direct('ben')).toHaveLength(2);
  });

  test('is sent once where two people look at the form at the same time', async () => {
    await place.opens(await place.says('/tis WEB-6'));
    await place.opens(await place.says('/tis WEB-6', 'cleo'), { as: 'cleo' });
    await place.submits({});
    expect(await place.submits({}, 'cleo')).toContain('Nothing was sent: <@U0ADA> already nudged <@U0BEN>');
    expect(place.direct('ben')).toHaveLength(1);
  });

  test('is sent once where another process sends it', async () => {
    const other = await startDwell({
      dataDir: place.dwell.dataDir,
      at: '2026-03-18T12:00:00Z',
      slackApiUrl: place.slack.apiUrl,
      environment: {
        ...{ TRACKER: 'file', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
        ...{ SLACK_BOT_TOKEN: place.slack.botToken, SLACK_SIGNING_SECRET: place.slack.signingSecret },
      },
    });
    try {
      await place.opens(await place.says('/tis WEB-6', 'cleo'), { as: 'cleo' });
      place.slack.botAt(other.url);
      await sends('WEB-6');
      place.slack.botAt(place.dwell.url);
      expect(await place.submits({}, 'cleo')).toContain('Nothing was sent: <@U0ADA> already nudged <@U0BEN>');
      expect(place.direct('ben')).toHaveLength(1);
    } finally {
      place.slack.botAt(place.dwell.url);
      await other.stop();
    }
  });

  test('comes back with the new person where that has changed since the form was opened', async () => {
    await place.opens(await place.says('/tis WEB-6'));
    await isAway('ben', ['cleo']);
    await place.slack.submits({ comment: 'Hello.' });
    const view = await until(() => {
      const shown = place.slack.openModals('ada').at(-1);
      return shown !== undefined && JSON.stringify(shown.blocks).includes('U0CLEO') ? shown : null;
    });
    expect(JSON.stringify(view.blocks)).toContain('Someone else is asked about this issue now.');
    expect([...place.direct('ben'), ...place.direct('cleo')]).toEqual([]);
    expect(await place.submits({})).toContain('Sent to <@U0CLEO>.');
    expect(place.direct('cleo')[0]?.text).toContain('> Hello.');
  });

  test('that Slack refuses can be sent again at once; of one that may have arrived that is said', async () => {
    await place.opens(await place.says('/tis WEB-6'));
    place.slack.faults.failNext(POST, 'messages_tab_disabled');
    expect(await place.submits({})).toBe("Slack didn't take the message to <@U0BEN>. Please try again.");
    await place.opens(await place.says('/tis WEB-6'));
    place.slack.faults.loseAnswerNext(POST);
    expect(await place.submits({})).toBe(
      "Slack didn't answer, so I don't know whether <@U0BEN> was notified.",
    );
    expect(place.direct('ben')).toHaveLength(1);
    expect((await place.opens(await place.says('/tis WEB-6'))).text).toContain('People are asked once a day');
  });

  test('of an issue that is done meanwhile is not sent', async () => {
    const answer = await place.says('/tis WEB-6');
    await place.moves('WEB-6', 'Done');
    expect((await place.opens(answer)).text).toContain('WEB-6 is done, so there is no one to nudge.');
  });
});
