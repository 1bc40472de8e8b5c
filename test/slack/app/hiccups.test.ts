import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '#jest';
import { until } from '../../support/local-exports.ts';
import { shareOutcome, shares } from '../../support/share-in-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('hiccups', () => {
  type Place = Awaited<ReturnType<typeof startTeamInSlack>>;

  const hiccups = {
    'HTTP 503': (place: Place, times: number) => place.slack.faults.breakNext('response_url', 503, times),
    'a connection that breaks': (place: Place, times: number) =>
      place.slack.faults.loseNext('response_url', times),
  };

  describe.each(['http', 'socket'] as const)('over %s', (mode) => {
    const place = startedOnce(() => startTeamInSlack(mode, { slackWait: () => setTimeout(1) }));

    describe.each(Object.entries(hiccups))('where an answer meets %s', (_what, plant) => {
      test.each([1, 2])('%i times, it comes all the same', async (times) => {
        const before = place.slack.calls('chat.postEphemeral').length;
        plant(place, times);
        const answer = await place.says('/tis WEB-3');
        expect(answer.text).toContain('WEB-3');
        expect(place.slack.calls('chat.postEphemeral')).toHaveLength(before);
      });

      test('a click is answered all the same, and an answer is still turned in its place', async () => {
        const list = await place.says('/tis project WEB list');
        plant(place, 1);
        await place.slack.clicks('turn-page', { on: list });
        expect((await place.slack.updated()).text).toContain('Issues 11–12 of 12');

        const closed = await place.says('/tis project OPS');
        plant(place, 1);
        await shares(place.slack, { on: closed });
        expect(await shareOutcome(place.slack)).toContain('Not shared.');
      });
    });

    test('a response URL that works no more gives way to a private word of the app', async () => {
      place.slack.faults.breakNext('response_url', 503, 3);
      const answer = await place.says('/tis WEB-4');
      expect(answer).toMatchObject({ channel: 'C0TEAM', onlyFor: 'U0ADA' });
      expect(answer.text).toContain('WEB-4');
      expect(answer.text).not.toContain('our side');
    });

    test('a response URL that is used up gives way as well', async () => {
      const list = await place.says('/tis project WEB list');
      place.slack.faults.failNext('response_url', 'used_url', 3);
      await place.slack.clicks('turn-page', { on: list });
      expect((await place.slack.privateReply()).text).toContain('Issues 11–12 of 12');
    });

    test('a response URL that refuses in the body of a 200 gives way as well', async () => {
      place.slack.faults.failInBodyNext('response_url', 'used_url', 3);
      const answer = await place.says('/tis WEB-4');
      expect(answer).toMatchObject({ channel: 'C0TEAM', onlyFor: 'U0ADA' });
      expect(answer.text).toContain('WEB-4');
      const before = place.slack.calls('chat.postEphemeral').length;
      place.slack.faults.failInBodyNext('response_url', 'internal_error');
      expect((await place.says('/tis WEB-4')).text).toContain('WEB-4');
      expect(place.slack.calls('chat.postEphemeral')).toHaveLength(before);
    });

    describe('a modal that Slack does not change', () => {
      const titled = (title: string) => () => {
        const view = place.slack.openModals().at(-1);
        const shown = JSON.stringify(view);
        return view !== undefined && shown.includes(title) ? shown : null;
      };
      const explained = async () => {
        const answer = await place.says('/tis WEB-7');
        await place.slack.clicks('Why?', { on: answer });
      };

      test('shows what it was to show where that fails for a moment', async () => {
        place.slack.faults.failNext('views.update', 'internal_error', 2);
        await explained();
        await until(titled('Which figure?'));
        await place.slack.dismisses();
      });

      test('shows why it was not filled where that is refused', async () => {
        place.slack.faults.failNext('views.update', 'invalid_arguments');
        await explained();
        expect(await until(titled('went wrong on our side'))).toContain('Why?');
        await place.slack.dismisses();
      });

      test('shows after a submission where its answer is', async () => {
        const answer = await place.says('/tis WEB-7');
        await place.slack.clicks('Export', { on: answer });
        await place.slack.modal();
        place.slack.faults.failNext('views.update', 'invalid_arguments');
        await place.slack.submits({ format: 'csv' });
        await until(titled("I couldn't show the answer here, so it comes as a message."));
        expect((await place.slack.privateReply()).text).toContain('The file is in our direct messages.');
        await place.slack.dismisses();
      });

      test('is followed by a word about a choice that changed nothing', async () => {
        await explained();
        const shown = await until(titled('explain-figure'));
        const [, entry = ''] = /"options":\[.*?"value":"([^"]+)"/.exec(shown) ?? [];
        place.slack.faults.failNext('views.update', 'invalid_arguments');
        await place.slack.clicks('explain-figure', { entry });
        await until(titled('went wrong on our side'));
        expect(place.slack.openModals()).toHaveLength(2);
        await place.slack.dismisses();
        await place.slack.dismisses();
      });
    });

    test('where the app is not in the channel, the answer comes in the conversation with it', async () => {
      place.slack.faults.breakNext('response_url', 503, 3);
      place.slack.faults.failNext('chat.postEphemeral', 'not_in_channel');
      const answer = await place.slack.answerTo('/tis WEB-4', { as: 'bob', in: 'quiet' });
      expect(answer).toMatchObject({ channel: 'D0BOB' });
      expect(answer.text).toMatch(/^About your request in <#C0QUIET>: WEB-4/);
    });

    test('a pause that Slack wants of one person is shown to them at once, and delays no one else', async () => {
      const ofAda = await place.says('/tis WEB-5', { as: 'ada' });
      const ofBob = await place.says('/tis WEB-6', { as: 'bob' });
      place.slack.faults.rateLimitNext('views.open', 30);
      await place.slack.clicks('why-answer', { as: 'ada', on: ofAda });
      expect((await place.slack.privateReply()).text).toBe('Slack is busy. Try again in 30 seconds.');
      await place.slack.clicks('why-answer', { as: 'bob', on: ofBob });
      // The form itself: what comes later would meet the faults of another test.
      await until(() => JSON.stringify(place.slack.openModals('bob')).includes('explain-figure') || null);
      expect(place.slack.openModals('ada')).toEqual([]);
      await place.slack.dismisses({ as: 'bob' });
    });
  });
});
