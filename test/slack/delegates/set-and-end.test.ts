import { millisecondsInDay } from 'date-fns/constants';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { isJson } from '../../../playground/slack-json.ts';
import type { Message } from '../../../playground/workspace.ts';
import { checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Delegation, TimeSpan } from '../../../src/model/delegation.ts';
import { namesOf, wordsIn } from '../../../src/slack/app/message-texts.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import { warnOf } from '../../../src/slack/delegates/set-cover.ts';
import { NOON, seconds, startDelegatesInSlack } from '../../support/delegates-in-slack.ts';
import { until } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';

describe('delegates set', () => {
  let place: Awaited<ReturnType<typeof startDelegatesInSlack>>;
  beforeEach(async () => {
    place = await startDelegatesInSlack();
  });
  afterEach(() => place.stop());

  const shown = (as?: string) => JSON.stringify(place.slack.openModals(as));
  const times = { from: seconds('2026-03-19T08:00:00Z'), to: seconds('2026-03-20T16:30:00Z') };
  /** As others read it, and as bob does in New York. */
  const period =
    'from <!date^1773907200^{date_short_pretty} at {time}|2026-03-19 08:00 UTC> until <!date^1774024200^{date_short_pretty} at {time}|2026-03-20 16:30 UTC>';
  const periodOfBob = 'from Thu 19 Mar 04:00 until Fri 20 Mar 12:30';
  const zoneOfBob = 'Times of America/New_York.';

  /** Submits the form of somebody; resolves when its answer is shown, or the form again. */
  async function submits(entries: Record<string, string | readonly string[]>, as = 'ada') {
    const before = shown(as);
    const submitted = await place.slack.submits(entries, { as });
    if (submitted.ack?.outcome !== 'ok') throw new Error('not acknowledged');
    if (Object.keys(submitted.errors).length > 0) return submitted.errors;
    await until(() => shown(as) !== before && !/telling both sides/i.test(shown(as)));
    return {};
  }

  describe('handing work over', () => {
    test('is a form that begins with the next full hour, for a week', async () => {
      const view = await place.opensForm('bob');
      expect(
        checkView({ type: 'modal', title: view.title, submit: view.submit, blocks: view.blocks }),
      ).toEqual([]);
      const inputs = view.blocks.filter(({ type }) => type === 'input');
      expect(inputs.map(({ block_id: id }) => id)).toEqual(['who', 'from', 'to', 'categories', 'notes']);
      expect(inputs[1]?.element).toMatchObject({
        initial_date_time: Number(seconds('2026-03-18T13:00:00Z')),
      });
      expect(inputs[2]?.element).toMatchObject({
        initial_date_time: Number(seconds('2026-03-25T13:00:00Z')),
      });
    });

    test('is acknowledged at once, set, told, and told to both sides once', async () => {
      await place.opensForm('bob');
      await submits(
        { who: ['U0CARL', 'U0ADA'], ...times, categories: ['1'], notes: '<!channel> *all* of it\n& more' },
        'bob',
      );
      const notes = '`&lt;!channel&gt; *all* of it &amp; more`';
      const told = `*Carl*, *Ada* for *Bob*: Expense, ${periodOfBob} · ${notes}`;
      const warning = ':warning: *Ada*, who stands in for *Bob*, is away too all the time.';
      const answer = `Set: ${told}\n${warning}\nBoth sides are told.`;
      expect(shown('bob')).toContain(JSON.stringify(answer).slice(1, -1));
      expect(shown('bob')).toContain(zoneOfBob);
      expect(place.toldDirectly('bob')).toEqual([
        `*Carl*, *Ada* stand in for you: Expense, ${period}. Set by you.\n${notes}`,
      ]);
      expect(place.toldDirectly('carl')).toEqual([
        `You stand in for *Bob* with *Ada*: Expense, ${period}. Set by *Bob*.\n${notes}`,
      ]);
      expect(place.toldDirectly('ada')).toHaveLength(1);
      expect(place.toldDirectly('dora')).toEqual([]);
      const { text } = await place.says('@bob on 19 mar 2026');
      expect(text).toContain('*Expense*\n• *Carl*, *Ada*, from');
    });

    test('is done for others by who may edit all', async () => {
      await place.opensForm('ada');
      await submits({ for: 'U0DORA', who: ['U0BOB'], ...times });
      expect(place.toldDirectly('dora')).toEqual([
        `*Bob* stands in for you: everything, ${period}. Set by *Ada*.`,
      ]);
      expect(place.toldDirectly('ada')).toEqual([]);
    });

    test('names who could not be told, and why', async () => {
      await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'emil');
      place.slack.faults.failNext('chat.postMessage', 'messages_tab_disabled', 3);
      await place.opensForm('bob');
      await submits({ who: ['U0ZOE', 'U0CARL'], ...times }, 'bob');
      expect(shown('bob')).toContain(
        'Slack did not take my message to Bob, Emil, Carl. Please tell them yourself.',
      );
    });

    test('is told as set before both sides are told', async () => {
      const release = place.slack.faults.holdNext('chat.postMessage');
      await place.opensForm('bob');
      const submitted = submits({ who: ['U0CARL'], ...times }, 'bob');
      await until(() => shown('bob').includes('Set: *Carl* for *Bob*'));
      expect(shown('bob')).toContain('Telling both sides…');
      release();
      await submitted;
      expect(shown('bob')).toContain('Both sides are told.');
    });

    test('shows a word at once, and the form when everything for it is known', async () => {
      const release = place.slack.faults.holdNext('users.info');
      await place.slack.types('/delegates set', { as: 'bob' });
      const word = await place.slack.modal('bob');
      expect(JSON.stringify(word.blocks)).toContain('Getting the form…');
      expect(word.submit).toBeNull();
      release();
      const form = await place.slack.modal('bob');
      expect(form).toMatchObject({ id: word.id, callback_id: 'set-delegation' });
    });

    test('warns of a circle, of who is away too and of who stands in as well', async () => {
      await place.opensForm('bob');
      await submits({ who: ['U0CARL'], ...times, categories: ['1'] }, 'bob');
      await place.slack.dismisses({ as: 'bob' });
      await place.opensForm('bob');
      await submits({ who: ['U0ADA'], ...times }, 'bob');
      const answer = shown('bob');
      expect(answer).toContain(
        `Set: *Ada* for *Bob*: everything, ${periodOfBob}\\n` +
          ':warning: *Ada*, who stands in for *Bob*, is away too all the time.\\n' +
          `:warning: *Carl* stands in for *Bob* as well: Expense, ${periodOfBob}.\\nBoth sides are told.`,
      );
      await place.slack.dismisses({ as: 'bob' });
      await place.opensForm('ada');
      await submits({ for: 'U0CARL', who: ['U0BOB'], ...times });
      expect(shown('ada')).toContain(
        ':warning: *Bob*, who stands in for *Carl*, is away too all the time; left to stand in: ',
      );
    });

    test('warns of nobody being left', async () => {
      await place.opensForm('ada');
      await submits({ for: 'U0CARL', who: ['U0DORA'], ...times });
      expect(shown('ada')).not.toContain(':warning:');
      await place.slack.dismisses({ as: 'ada' });
      await place.opensForm('ada');
      await submits({ for: 'U0DORA', who: ['U0CARL'], ...times });
      expect(shown('ada')).toContain(
        ':warning: Nobody stands in for *Dora* (everything) all the time: all who would are away too, in a circle.\\n' +
          ':warning: *Carl*, who stands in for *Dora*, is away too all the time; nobody stands in then.',
      );
    });

    test('is left alone by who has closed the word', async () => {
      const release = place.slack.faults.holdNext('users.info');
      await place.slack.types('/delegates set', { as: 'bob' });
      await place.slack.modal('bob');
      await place.slack.dismisses({ as: 'bob' });
      release();
      await until(() => place.slack.calls('views.update').length > 0);
      expect(place.slack.openModals('bob')).toEqual([]);
      expect((await place.says('mine', 'bob')).text).toMatch(/^\*You have handed over now/);
    });

    test('is found though Slack’s answer to its opening was lost', async () => {
      place.slack.faults.loseAnswerNext('views.open');
      const form = await place.opensForm('bob');
      expect(form.callback_id).toBe('set-delegation');
    });

    test('that came too late is said', async () => {
      place.slack.faults.failNext('views.open', 'expired_trigger_id');
      expect((await place.says('set')).text).toBe('That took too long. Please type `/delegates set` again.');
    });
  });

  test('who may not view delegations is told who can change that, whatever they ask', async () => {
    await place.dwell.types('delegates', '--view', 'nobody');
    const refused = 'You do not have permission to view delegations. ' + 'Ask an admin to change that.';
    for (const line of ['@bob', '@zoe', 'mine', 'week', 'end']) {
      expect((await place.says(line, 'bob')).text).toBe(refused);
    }
    const view = await place.opensForm('bob');
    expect(view).toMatchObject({ submit: null, blocks: [{ text: { text: refused } }] });
  });

  describe('what is wrong with the form', () => {
    test('is said at the field where it can be seen at once', async () => {
      await place.opensForm('bob');
      expect(await submits({ who: ['U0CARL', 'U0BOB'], from: times.to, to: times.from }, 'bob')).toEqual({
        who: 'Nobody can stand in for themselves.',
        to: 'This must be after the start.',
      });
      expect(await submits({ who: ['U0CARL'], from: times.from, to: times.from }, 'bob')).toEqual({
        to: 'This must be after the start.',
      });
      const yesterday = { from: seconds('2026-03-16T08:00:00Z'), to: seconds('2026-03-17T08:00:00Z') };
      expect(await submits({ who: ['U0CARL'], ...yesterday }, 'bob')).toEqual({
        to: 'This is over already.',
      });
      expect(await submits({ who: ['U0CARL'], ...yesterday, to: seconds(NOON) }, 'bob')).toEqual({
        to: 'This is over already.',
      });
      expect(place.toldDirectly('carl')).toEqual([]);
    });

    test('is said in the words of the form where several accounts are one user’s', async () => {
      await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'carl');
      await place.opensForm('bob');
      await submits({ who: ['U0CARL', 'U0ZOE'], ...times }, 'bob');
      expect(shown('bob')).toContain(':warning: Carl is named twice.');
      await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'bob');
      await submits({ who: ['U0ZOE'], ...times }, 'bob');
      expect(shown('bob')).toContain(':warning: Bob cannot stand in for themselves.');
      expect(place.toldDirectly('carl')).toEqual([]);
    });

    test('names what the register refuses as the form does', async () => {
      const path = '/rest/delegation/api/1.0/category';
      const admin = place.dwell.as('ada', { admin: true });
      const { json } = await admin.postJson(path, { name: 'Passing', description: '' });
      await place.opensForm('bob');
      await admin.send('DELETE', `${path}/${json.id}`, undefined);
      await submits({ who: ['U0CARL'], ...times, categories: [String(json.id)] }, 'bob');
      expect(shown('bob')).toContain(`:warning: Categories: '${json.id}' is no category. Try: `);
      expect(place.toldDirectly('carl')).toEqual([]);
    });

    test('or on top of the form, which comes back as it was filled in and can be sent again', async () => {
      await place.opensForm('bob');
      await submits(
        { who: ['U0ZOE', 'U0CARL'], ...times, categories: ['1', '2'], notes: 'All & more' },
        'bob',
      );
      const [view] = place.slack.openModals('bob');
      expect(view?.blocks[0]).toMatchObject({
        type: 'section',
        text: {
          text: expect.stringMatching(/^:warning: I do not know who Zoe is in the tracker\. Nobody in/),
        },
      });
      const elements = Object.fromEntries(
        (view?.blocks ?? []).map((block) => [block.block_id, block.element]),
      );
      expect(elements.who).toMatchObject({ initial_users: ['U0ZOE', 'U0CARL'] });
      expect(elements.from).toMatchObject({ initial_date_time: Number(times.from) });
      expect(elements.to).toMatchObject({ initial_date_time: Number(times.to) });
      expect(elements.categories).toMatchObject({ initial_options: [{ value: '1' }, { value: '2' }] });
      expect(elements.notes).toMatchObject({ initial_value: 'All & more' });
      expect(place.toldDirectly('carl')).toEqual([]);

      await submits({ who: ['U0CARL'] }, 'bob');
      expect(shown('bob')).toContain('Set: *Carl* for *Bob*');
      expect(place.toldDirectly('carl')).toHaveLength(1);
    });

    test('is told where the form was opened to who has closed it meanwhile', async () => {
      await place.opensForm('bob');
      const release = place.slack.faults.holdNext('users.info');
      place.dwell.clock.now += 10 * 60_000;
      await place.slack.submits({ who: ['U0ZOE'], ...times }, { as: 'bob' });
      await place.slack.dismisses({ as: 'bob' });
      release();
      const told = await place.slack.reply();
      expect(told).toMatchObject({ channel: 'C0GENERAL', onlyFor: 'U0BOB' });
      expect(told.text).toMatch(/^Nothing is set\. I do not know who Zoe is/);
    });
  });

  describe('ending', () => {
    test('lists what runs and comes, asks, ends it and tells both sides, once', async () => {
      const list = await place.says('end');
      expect(list.text).toMatch(
        /^What \*Ada\* has handed over, now and later:\n\*Bob\* for \*Ada\*: Expense, until/,
      );
      expect(list.blocks?.[1]?.accessory).toMatchObject({
        action_id: 'end-delegation',
        confirm: { title: { text: 'End this now?' } },
      });
      const [, first] = list.blocks ?? [];
      const blockId = String(first?.block_id);
      await place.slack.clicks('End', { on: list, blockId });
      // What both sides read is posted before the answer.
      await until(() => JSON.stringify(place.slack.messages()).includes('Ended: *Bob* for *Ada*: Expense'));
      expect(place.toldDirectly('bob')).toEqual([
        'You do not stand in for *Ada* any more: Expense, ended <!date^1773835200^{date_short_pretty} at {time}|2026-03-18 12:00 UTC> by *Ada*.',
      ]);
      expect(place.toldDirectly('ada')).toHaveLength(1);

      await place.slack.clicks('End', { on: list, blockId });
      const again = await place.slack.reply();
      expect(again).toMatchObject({ onlyFor: 'U0ADA' });
      expect(again.text).toMatch(/^This has ended already: \*Bob\* for \*Ada\*: Expense, until/);
      expect(place.toldDirectly('bob')).toHaveLength(1);
      expect((await place.says('@ada')).text).toMatch(/^Nobody stands in for \*Ada\* now/);
    });

    test('what has not begun is called off', async () => {
      await place.opensForm('bob');
      await submits({ who: ['U0DORA'], ...times }, 'bob');
      await place.slack.dismisses({ as: 'bob' });
      const list = await place.says('end', 'bob');
      expect(list.text).toContain(`*Dora* for *Bob*: everything, ${periodOfBob}`);
      const block = list.blocks?.find((one) => JSON.stringify(one).includes('*Dora*'));
      expect(block?.accessory).toMatchObject({ confirm: { title: { text: 'Call this off?' } } });
      await place.slack.clicks('End', { as: 'bob', on: list, blockId: String(block?.block_id) });
      await until(() => place.toldDirectly('dora').length === 2);
      expect(place.toldDirectly('dora')[1]).toBe(
        `You will not stand in for *Bob*: everything, ${period}, called off by *Bob*.`,
      );
    });

    test('goes on with the later ones where a message has no room for all', async () => {
      const ada = place.dwell.as('ada', { admin: true });
      for (let day = 1; day <= 20; day += 1) {
        const date = `2026-04-${String(day).padStart(2, '0')}`;
        const made = await ada.postJson('/rest/delegation/1.0/api/delegation', {
          active: true,
          delegator: 'dora',
          delegates: ['bob'],
          categoryIds: [],
          startDate: `${date}T08:00Z`,
          endDate: `${date}T18:00Z`,
          notes: '',
        });
        expect(made.status).toBe(200);
      }
      const ids = ({ blocks = [] }: Message) =>
        blocks.flatMap(({ accessory }) => (isJson(accessory) ? [accessory.value] : []));
      const first = await place.says('end @dora');
      expect(ids(first)).toHaveLength(15);
      await place.slack.clicks('Later ones', { on: first });
      const second = await place.slack.reply();
      expect(second.onlyFor).toBe('U0ADA');
      expect(second.text).toMatch(/^What \*Dora\* has handed over later:\n/);
      expect(new Set([...ids(first), ...ids(second)]).size).toBeGreaterThanOrEqual(20);
      expect(JSON.stringify(second.blocks)).not.toContain('Later ones');
    });

    test('of others is for who may edit all', async () => {
      expect((await place.says('end @bob')).text).toMatch(/^What \*Bob\* has handed over/);
      expect((await place.says('end @ada', 'bob')).text).toMatch(
        /^You do not have permission to edit delegations of other users\. .*Ask an admin to change that\.$/,
      );
    });

    test('a name that is only like another is asked about', async () => {
      const asked = await place.says('end car');
      await place.slack.clicks('This one', { on: asked });
      expect((await place.slack.reply()).text).toContain('*Carl* has handed over');
    });
  });
});

describe('warn of', () => {
  const now = Date.parse('2026-03-18T12:00:30Z');
  const delegation: Delegation = {
    id: 1,
    version: 1,
    active: true,
    delegator: 'ada',
    delegates: ['bob'],
    categoryIds: [2],
    start: Date.parse('2026-03-01T00:00:00Z'),
    end: Date.parse('2036-03-01T00:00:00Z'),
    notes: '',
  };
  const words = wordsIn('UTC', now, namesOf(new Map(), [{ id: 2, name: 'Expense', description: '' }]));

  /** The warnings about it, where this is what the register knows of its time, and the spans it was asked for. */
  async function warnings(coverage: (span: TimeSpan) => object) {
    const spans: TimeSpan[] = [];
    const delegations = {
      async coverage(_: unknown, span: TimeSpan) {
        spans.push(span);
        return { span, delegations: [], uncovered: [], awayToo: [], ending: [], ...coverage(span) };
      },
    };
    const parts = { delegations, now: () => now, log: pino({ level: 'silent' }) } as unknown as SlackParts;
    return { lines: await warnOf(delegation, { principal: principalOf('ada'), words }, parts), spans };
  }

  test('what is over is not warned of, nor what is more than 400 days away', async () => {
    const { lines, spans } = await warnings(() => ({}));
    const from = Date.parse('2026-03-18T12:00:00Z');
    expect(spans).toEqual([{ from, until: from + 400 * millisecondsInDay }]);
    expect(lines).toEqual([]);
  });

  test('what concerns neither its person nor its category is not warned of', async () => {
    const other = {
      ...delegation,
      id: 7,
      delegates: ['carl', 'dora'],
      end: delegation.start + 30 * millisecondsInDay,
    };
    const { lines } = await warnings(({ from, until }) => ({
      delegations: [
        delegation,
        other,
        { ...other, id: 8, categoryIds: [3] },
        { ...other, id: 9, delegator: 'bob' },
        { ...other, id: 10, delegates: ['bob'], categoryIds: [] },
      ],
      awayToo: [
        {
          person: 'ada',
          delegate: 'bob',
          categoryId: 2,
          standIns: null,
          from,
          until: from + millisecondsInDay,
        },
        { person: 'ada', delegate: 'bob', categoryId: 3, standIns: null, from, until },
        { person: 'ada', delegate: 'carl', categoryId: 2, standIns: null, from, until },
      ],
      uncovered: [
        { person: 'ada', categoryId: 2, reason: 'gap', from, until },
        { person: 'bob', categoryId: 2, reason: 'loop', from, until },
      ],
    }));
    expect(lines).toEqual([
      ':warning: *bob*, who stands in for *ada*, is away too until Thu 19 Mar 12:00.',
      ':warning: *carl*, *dora* stand in for *ada* as well: Expense, from Sun 1 Mar 00:00 until Tue 31 Mar 00:00.',
    ]);
  });

  test('what cannot be looked up is said, for it is set all the same', async () => {
    const { lines } = await warnings(() => {
      throw new Error('unreachable');
    });
    expect(lines).toEqual([
      'Whether somebody is away too could not be looked up; `/delegates week` tells it.',
    ]);
  });
});
