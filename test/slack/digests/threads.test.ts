import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import type { ExportRecord } from '../../../src/model/export.ts';
import { ask } from '../../../src/model/request.ts';
import { aWeeklyAnswer } from '../../support/an-answer.ts';
import { anExport } from '../../support/an-export.ts';
import { aDigestOffice, adaHere, type DigestOfficeParts, hourly } from '../../support/digest-office.ts';
import { until } from '../../support/local-exports.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedEach } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('threads', () => {
  const BEGIN = Date.parse('2026-03-18T12:59:00Z');
  const POST = 'chat.postMessage';

  let slack: StandInSlack;
  let close = () => {};
  beforeEach(async () => {
    slack = await startStandInSlack();
  });
  afterEach(async () => {
    close();
    await slack.stop();
  });

  /** A digest of a week, whose answer has something for the thread, with a file. */
  async function weekly(queue?: () => void, more: Partial<DigestOfficeParts> = {}) {
    const clock = { now: BEGIN };
    const queued: ExportRecord[] = [];
    const office = await aDigestOffice({
      dataDir: temporaryFolder(),
      clock,
      slack,
      answer: async (_question, asOf) => ({ ...aWeeklyAnswer(), asOf }),
      changeDoor: (door) => ({
        ...door,
        answers: {
          ...door.answers,
          requestOf: async (principal, _question, asOf) =>
            ask({
              principal,
              reportType: 'statusDuration',
              selection: { by: 'project', project: 'WEB' },
              asOf,
            }),
        },
        settings: {
          ...door.settings,
          formats: async () => ({ dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm' }),
        },
        exports: {
          ...door.exports,
          count: async () => 7,
          list: async () => ({ records: queued, total: queued.length }),
          async queue(wish, delivery) {
            const record = anExport(`export-${queued.length}`, { input: wish, delivery: delivery ?? null });
            queued.push(record);
            queue?.();
            return record;
          },
        },
      }),
      ...more,
    });
    close = office.close;
    const { id } = await office.digests.create(adaHere, { ...hourly, file: 'xlsx' });
    // A clock is believed from the second look on.
    await office.digests.tick();
    return {
      queued,
      async passes(minutes: number) {
        for (let passed = 0; passed < minutes; passed += 1) {
          clock.now += millisecondsInMinute;
          await office.digests.tick();
        }
      },
      lastRun: async () => (await office.digests.get(adaHere, id)).lastRun,
    };
  }

  const inChannel = () => slack.playground.messages('C0GENERAL');
  const parts = () =>
    inChannel().map(({ metadata }) => JSON.stringify(metadata).replace(/.*"part":"([^"]+)".*/, '$1'));

  test('details are in the thread of the message, and the file follows', async () => {
    const { passes, queued } = await weekly();
    await passes(1);
    const [message, ...thread] = inChannel();
    expect(thread.length).toBeGreaterThan(0);
    expect(thread.map(({ threadTs }) => threadTs)).toEqual(thread.map(() => message?.ts));
    expect(parts()).toEqual(['message', ...thread.map((_, i) => `detail ${i + 1}`)]);
    expect(queued).toMatchObject([
      {
        input: {
          type: 'XLSX',
          request: { asOf: BEGIN + millisecondsInMinute, selection: { project: 'WEB' } },
        },
        delivery: {
          door: 'slack',
          pending: true,
          note: {
            channel: 'C0GENERAL',
            threadTs: message?.ts,
            user: 'U0ADA',
            digest: expect.stringMatching(/./),
          },
        },
      },
    ]);
  });

  test.each(['loseAnswerNext', 'loseNext'] as const)(
    'whatever post of the thread is hit by %s, each part comes once',
    async (fault) => {
      const { passes } = await weekly();
      await passes(1);
      const good = parts();
      for (let hit = 0; hit < good.length; hit += 1) {
        close();
        await slack.stop();
        slack = await startStandInSlack();
        const again = await weekly();
        // Posts before the one that is hit pass.
        let calls = 0;
        const stop = slack.playground.listen(({ kind }) => {
          if (kind !== 'message') return;
          calls += 1;
          if (calls === hit) slack.faults[fault](POST);
        });
        if (hit === 0) slack.faults[fault](POST);
        await again.passes(10);
        stop();
        expect(parts()).toEqual(good);
        expect(again.queued).toHaveLength(1);
        expect(await again.lastRun()).toMatchObject({ state: 'sent' });
      }
    },
  );

  test('a file is queued once, even where no one noted that it was', async () => {
    let isCut = true;
    const { passes, queued, lastRun } = await weekly(() => {
      if (!isCut) return;
      isCut = false;
      throw new AppError('service-unavailable', 'The store is out of reach.');
    });
    await passes(10);
    expect(queued).toHaveLength(1);
    expect(await lastRun()).toMatchObject({ state: 'sent' });
  });

  test('where the file cannot be made the owner is notified, and the message stays', async () => {
    const { passes, lastRun } = await weekly(() => {
      throw new AppError('too-many-exports', 'Too many exports', [
        'Ten of your exports are queued or running.',
      ]);
    });
    await passes(1);
    expect(parts()[0]).toBe('message');
    expect(await lastRun()).toMatchObject({
      state: 'failed',
      message: expect.stringContaining("The message is posted, but its file couldn't be created"),
    });
    expect(slack.playground.messages('D0ADA')[0]?.text).toContain('Ten of your exports');
  });

  test('a detail of which no one knows whether it was posted is left out, and the rest comes', async () => {
    const { passes, queued, lastRun } = await weekly();
    const stop = slack.playground.listen(({ kind }) => {
      if (kind === 'message' && inChannel().length === 1) slack.faults.loseNext(POST);
    });
    slack.faults.failNext('conversations.replies', 'missing_scope', 9);
    await passes(10);
    stop();
    expect([parts(), queued.length]).toEqual([['message', 'detail 2', 'detail 3'], 1]);
    expect(await lastRun()).toMatchObject({ state: 'sent' });
  });
});

describe('nudging', () => {
  const world = startedEach(() => startDwellInSlack({ at: '2026-03-23T08:59:00Z' }));

  test('the answer to a nudge beside an issue of a weekly digest comes to the thread of the digest', async () => {
    const { dwell, slack } = world;
    await dwell.types('people', '--link', 'U0BEN', '--to', 'bob');
    await world.slack.answerTo('/tis digest weekly WEB every monday at 9 in UTC');
    // A clock is believed from the second look on.
    await dwell.tellsDigests();
    dwell.clock.now += millisecondsInMinute;
    await dwell.tellsDigests();
    const [digest] = slack.playground
      .messages('C0GENERAL')
      .filter(({ text }) => text.startsWith('Digest *weekly WEB*'));
    if (digest === undefined) throw new Error('The digest is not posted');
    expect(digest.text).toContain('Needs attention. 🟠 WEB-288 In Progress 187d 18h, 40× usual · @Bob.');
    await slack.clicks('Nudge', { as: 'chi', on: digest });
    await until(() => slack.openModals('chi').some(({ submit }) => submit !== null));
    await slack.submits({}, { as: 'chi' });
    const nudge = await slack.reply();
    expect([nudge.channel, nudge.text]).toEqual([
      'D0BEN',
      expect.stringMatching(/^<@U0CHI> asks how this is going\. WEB-288 · .*\nIn Progress for 187d 18h$/),
    ]);
    await slack.clicks('On it', { as: 'ben', on: nudge });
    const answer = await slack.reply();
    expect(answer).toMatchObject({ channel: 'C0GENERAL', threadTs: digest.ts });
    expect(answer.text).toMatch(/^<@U0BEN> answered <@U0CHI> about .*WEB-288.*: \*On it\*$/);
    expect(answer.onlyFor).toBeUndefined();
  });
});

describe('stale data', () => {
  const world = startedEach(() => startTeamInSlack());
  const shown = 'The data ends on <!date^';

  test('a week that the data does not reach is shown as not known, and that the data ends before it', async () => {
    expect(JSON.stringify(await world.says('/tis weekly WEB'))).not.toContain('The data ends');
    world.dwell.clock.now += 7 * millisecondsInDay;
    const answer = await world.says('/tis weekly WEB');
    expect(JSON.stringify(answer.blocks)).toContain(shown);
    expect(answer.text).toContain("The data ends on 2026-03-18 12:00 UTC, before this week's end: ");
    expect(answer.text).toContain('Nothing is known to have been finished in week 12');
    expect(answer.text).not.toContain('no time was spent');
  });

  test.each(['aging WEB', 'WEB', 'compare WEB with APP'])(
    'that the data behind %s has not been read for more than two days is said',
    async (question) => {
      world.dwell.clock.now += 2 * millisecondsInDay;
      expect((await world.says(`/tis ${question}`)).text).not.toContain('The data ends');
      world.dwell.clock.now += 60_000;
      expect((await world.says(`/tis ${question}`)).text).toContain(
        'The data ends on 2026-03-18 12:00 UTC: later changes are missing.',
      );
    },
  );

  test('a digest about which the data says nothing any more is not silent', async () => {
    await world.says('/tis digest weekly WEB every monday at 9');
    world.dwell.clock.now += 21 * millisecondsInDay;
    await world.says('/tis digest');
    await world.slack.clicks('digest-preview');
    expect((await world.slack.privateReply()).text).toBe('Preview, as I would post it now:');
    expect((await world.slack.privateReply()).text).toContain('The data ends on 2026-03-18');
  });
});
