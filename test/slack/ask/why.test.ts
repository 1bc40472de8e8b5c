import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { interactiveElements } from '../../../playground/block-elements.ts';
import type { View } from '../../../playground/open-views.ts';
import { explanationBlocks } from '../../../src/slack/ask/explain-answer.ts';
import { checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { anExplanation, officeHours } from '../../support/an-answer.ts';
import { until } from '../../support/local-exports.ts';
import { shares } from '../../support/share-in-slack.ts';
import { startedEach, startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { transports } from '../../support/transports.ts';

describe('why', () => {
  type Place = Awaited<ReturnType<typeof startTeamInSlack>>;

  /** The modal once it explains something. */
  const explained = ({ slack }: Place, as = 'ada', containing = 'explain-figure'): Promise<View> =>
    until(() => {
      const view = slack.openModals(as).at(-1);
      return view !== undefined && JSON.stringify(view.blocks).includes(containing) ? view : null;
    });

  const withinLimits = ({ type, title, close, private_metadata, blocks }: View) =>
    expect(checkView({ type, title, close, private_metadata, blocks })).toEqual([]);

  /** The figures that can be chosen. */
  function figuresIn(view: View): { value: string; text: { text: string } }[] {
    const [menu] = interactiveElements(view.blocks).filter(
      ({ element }) => element.action_id === 'explain-figure',
    );
    return JSON.parse(JSON.stringify(menu?.element.options ?? []));
  }

  describe.each(transports)('over %s', (mode) => {
    const place = startedOnce(() => startTeamInSlack(mode));

    test('Why? explains the first figure, and any other that is chosen', async () => {
      const answer = await place.says('/tis WEB-1');
      await place.slack.clicks('Why?', { on: answer });
      const first = await explained(place);
      withinLimits(first);
      const figures = figuresIn(first);
      expect(figures.length).toBeGreaterThan(1);
      const other = figures.at(-1);
      expect((await place.slack.clicks('explain-figure', { entry: other?.value ?? '' })).outcome).toBe('ok');
      const second = await until(() => {
        const view = place.slack.openModals().at(-1);
        return view !== undefined && view.hash !== first.hash ? view : null;
      });
      withinLimits(second);
      expect(second.id).toBe(first.id);
      expect(JSON.stringify(second.blocks)).toContain(
        `"initial_option":{"text":{"type":"plain_text","text":"${other?.text.text}`,
      );
      await place.slack.dismisses();
    });
  });

  describe('in a team', () => {
    const place = startedEach(() => startTeamInSlack());

    test.each([
      '/tis project WEB',
      '/tis project WEB list',
      '/tis weekly WEB',
      '/tis aging APP',
      '/tis compare WEB with APP',
    ])('every figure of %s can be explained within the limits of Slack', async (line) => {
      const answer = await place.says(line);
      await place.slack.clicks('Why?', { on: answer });
      let view = await place.slack.modal();
      view = await place.slack.modal();
      withinLimits(view);
      for (const { value } of figuresIn(view).slice(0, 12)) {
        const before = view.hash;
        await place.slack.clicks('explain-figure', { entry: value });
        view = await until(() => {
          const now = place.slack.openModals().at(-1);
          return now !== undefined && now.hash !== before ? now : null;
        });
        withinLimits(view);
        expect(JSON.stringify(view.blocks)).not.toContain('Something went wrong');
      }
    });

    test('under a shared answer it explains with the rights of who clicks', async () => {
      await place.dwell.types('audience', 'C0TEAM', 'allow', 'OPS');
      const answer = await place.says('/tis project OPS');
      await shares(place.slack, { on: answer });
      const shared = await place.slack.reply();
      await place.slack.clicks('Why?', { as: 'bob', on: shared });
      const view = await explained(place, 'bob', "You can't see this");
      expect(JSON.stringify(view.blocks)).not.toContain('OPS-1');
      await place.slack.clicks('Why?', { on: shared });
      expect(JSON.stringify((await explained(place)).blocks)).toContain('OPS-1');
    });

    test.each<[string, () => void, string]>([
      [
        'comes too late',
        () => place.slack.faults.failNext('views.open', 'expired_trigger_id'),
        'That took too long.',
      ],
      [
        'meets a failure of Slack',
        () => place.slack.faults.breakNext('views.open', 503, 2),
        "can't be reached",
      ],
    ])('a click that %s is told privately', async (_what, plant, words) => {
      const answer = await place.says('/tis WEB-1');
      plant();
      await place.slack.clicks('Why?', { on: answer });
      expect((await place.slack.privateReply()).text).toContain(words);
      expect(place.openIn()).toEqual([]);
    });

    test('a run that is not known any more is told in the modal', async () => {
      const answer = await place.says('/tis WEB-1');
      place.dwell.clock.now += 91 * 86_400_000;
      await place.slack.clicks('Why?', { on: answer });
      await explained(place, 'ada', 'has expired');
    });
  });

  test('a modal that was closed meanwhile posts nothing', async () => {
    const place = await startTeamInSlack();
    const answer = await place.says('/tis WEB-1');
    await place.slack.clicks('Why?', { on: answer });
    const view = await explained(place);
    const release = place.slack.faults.holdNext('views.update');
    const [figure] = figuresIn(view).slice(-1);
    await place.slack.clicks('explain-figure', { entry: figure?.value ?? '' });
    await place.slack.dismisses();
    release();
    // Stopping waits for answers under way.
    await place.dwell.stop();
    expect(place.slack.openModals()).toEqual([]);
    expect(place.slack.messages({ channel: 'dm' })).toEqual([]);
    await place.slack.stop();
  });
});

describe('explanation view', () => {
  const choices = [
    { id: 'total', title: 'Total' },
    { id: 'review', title: 'Review: time' },
  ];

  /** What is read in a list of a rich text, one line each; dates as their fallback. */
  const lines = (blocks: ReturnType<typeof explanationBlocks>) =>
    blocks.flatMap((block) =>
      block.type !== 'rich_text'
        ? []
        : block.elements.flatMap((element) =>
            element.type !== 'rich_text_list'
              ? []
              : element.elements.map((line) =>
                  line.elements
                    .map((inline) =>
                      inline.type === 'date' ? inline.fallback : 'text' in inline ? inline.text : '',
                    )
                    .join(''),
                ),
          ),
    );

  test('what the calendar counts is beside the time in total, which is never in working days', () => {
    const [first] = anExplanation().parts;
    if (first === undefined) throw new Error('No part');
    const blocks = explanationBlocks(
      choices,
      'review',
      anExplanation({ parts: [{ ...first, countedMs: 16 * millisecondsInHour }], calendar: officeHours }),
    );
    expect(lines(blocks)).toContain(
      'Visit 1: 2d counted (48h in total), from 2026-11-12 12:00 UTC to 2026-11-14 12:00 UTC',
    );
    expect(JSON.stringify(blocks.at(-1))).toContain('Working hours Office hours (1d = 8h) · as of');
  });

  test('it says how many issues count, which are left out and why, and where it was cut', () => {
    const shown = JSON.stringify(
      explanationBlocks(
        choices,
        'review',
        anExplanation({
          value: { kind: 'count', value: 4 },
          denominator: { counted: 4, of: 5 },
          excluded: [
            { key: 'WEB-3', reason: 'its history is cut' },
            { key: 'WEB-4', reason: 'never there', link: 'https://jira.example/browse/WEB-4' },
          ],
          trim: { from: Date.parse('2026-11-01T00:00:00Z'), to: null },
          more: 12,
        }),
      ),
    );
    expect(shown).toContain('*4* · from 4 of 5 issues');
    expect(shown).toContain(
      '*Left out*\\nWEB-3: its history is cut\\n<https://jira.example/browse/WEB-4|WEB-4>: never there',
    );
    expect(shown).toContain('counted from <!date^1793491200^');
    expect(shown).toContain('… and 12 more.');
  });

  test('all issues that are left out are counted where the first of them are named', () => {
    const excluded = Array.from({ length: 150 }, (_, i) => ({ key: `WEB-${i + 1}`, reason: 'never there' }));
    const shown = JSON.stringify(explanationBlocks(choices, 'review', anExplanation({ excluded })));
    expect(shown).toContain('WEB-10: never there\\n… and 140 more issues.');
  });

  test('what never was is not shown as 0', () => {
    const shown = JSON.stringify(
      explanationBlocks(choices, 'review', anExplanation({ value: null, parts: [] })),
    );
    expect(shown).toContain('None: no such time is known.');
  });

  test('before a figure is chosen it asks for one; without any it says so', () => {
    expect(JSON.stringify(explanationBlocks(choices, null, null))).toContain('Choose a figure to explain.');
    expect(explanationBlocks([], null, null)).toMatchObject([
      { text: { text: 'This answer has no figures to explain.' } },
    ]);
  });
});
