import { describe, expect, test } from '#jest';
import { inputsOf, NOON, seconds, startDelegatesInSlack } from '../../support/delegates-in-slack.ts';
import { until } from '../../support/local-exports.ts';
import { startedEach } from '../../support/started.ts';

describe('setting and ending cover', () => {
  const place = startedEach(() => startDelegatesInSlack());

  const shown = (as?: string) => JSON.stringify(place.slack.openModals(as));
  const days = { first: '2026-03-19', last: '2026-03-20' };
  const times = { from: seconds('2026-03-19T08:00:00Z'), until: seconds('2026-03-20T16:30:00Z') };
  /** The times as Slack draws them. */
  const hours =
    '<!date^1773907200^{date_short_pretty} at {time}|2026-03-19 08:00 UTC> – <!date^1774024200^{date_short_pretty} at {time}|2026-03-20 16:30 UTC>';

  /** Submits the form of a person; resolves when its answer is shown, or the form again. */
  async function submits(entries: Record<string, string | readonly string[]>, as = 'ada') {
    const before = shown(as);
    const submitted = await place.slack.submits(entries, { as });
    if (submitted.ack?.outcome !== 'ok') throw new Error('not acknowledged');
    if (Object.keys(submitted.errors).length > 0) return submitted.errors;
    await until(() => shown(as) !== before && !/notifying|setting the cover/i.test(shown(as)));
    return {};
  }

  /** The form in which times are chosen. */
  async function opensTimes(as: string) {
    await place.opensForm(as);
    await place.slack.clicks('Set times', { as });
    await until(() => shown(as).includes('datetimepicker'));
  }

  const inputs = (as: string) => inputsOf(place.slack, as);

  describe('the form', () => {
    test('sets it for those days, the last one included, and notifies both sides once', async () => {
      await place.opensForm('bob');
      await submits(
        { who: ['U0CARL', 'U0ADA'], ...days, categories: ['1'], notes: '<!channel> *all* of it\n& more' },
        'bob',
      );
      const notes = '`&lt;!channel&gt; *all* of it &amp; more`';
      const answer = `Set: *<@U0CARL> and <@U0ADA> cover for you* for Expense Mar 19–20 · ${notes}\n:warning: *<@U0ADA>*, who covers for you, is out for Expense all that time.\nEveryone was notified.`;
      expect(shown('bob')).toContain(JSON.stringify(answer).slice(1, -1));
      expect(place.toldDirectly('bob')).toEqual([
        `*<@U0CARL> and <@U0ADA> cover for you* for Expense Mar 19–20 · ${notes}\nSet by you.`,
      ]);
      expect(place.toldDirectly('carl')).toEqual([
        `*You and <@U0ADA> cover for <@U0BOB>* for Expense Mar 19–20 · ${notes}\nSet by *<@U0BOB>*.`,
      ]);
      expect(place.toldDirectly('ada')).toHaveLength(1);
      expect(place.toldDirectly('dora')).toEqual([]);
      // Bob's days are those of New York.
      const list = await place.dwell
        .as('bob')
        .get('/rest/delegation/1.0/api/delegation', { delegator: 'bob' });
      expect(JSON.stringify(list.json)).toContain(
        '"startDate":"2026-03-19T04:00Z","endDate":"2026-03-21T04:00Z"',
      );
      expect((await place.says('@bob on 19 mar 2026')).text).toContain(
        '*Carl and you cover for Bob* for Expense Mar 19–20',
      );
    });

    test('asks for times where a person wants to choose them, and keeps what is filled in', async () => {
      await opensTimes('bob');
      expect(inputs('bob').from).toMatchObject({
        initial_date_time: Number(seconds('2026-03-18T04:00:00Z')),
      });
      expect(inputs('bob').until).toMatchObject({
        initial_date_time: Number(seconds('2026-03-25T04:00:00Z')),
      });
      await place.slack.clicks('Use whole days', { as: 'bob' });
      await until(() => shown('bob').includes('datepicker"'));
      expect(inputs('bob').last).toMatchObject({ initial_date: '2026-03-24' });
      await place.slack.clicks('Set times', { as: 'bob' });
      await until(() => shown('bob').includes('datetimepicker'));
      await submits({ who: ['U0CARL'], ...times }, 'bob');
      expect(shown('bob')).toContain(`Set: *<@U0CARL> covers for you* ${hours}`);
      expect(place.toldDirectly('carl')).toEqual([`*You cover for <@U0BOB>* ${hours}\nSet by *<@U0BOB>*.`]);
    });

    test('is for others as well for people who can edit all', async () => {
      await place.opensForm('ada');
      await submits({ for: 'U0DORA', who: ['U0BOB'], ...days });
      expect(place.toldDirectly('dora')).toEqual(['*<@U0BOB> covers for you* Mar 19–20\nSet by *<@U0ADA>*.']);
      expect(place.toldDirectly('ada')).toEqual([]);
    });

    test('names the people who were not reached, and why', async () => {
      await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'emil');
      place.slack.faults.failNext('chat.postMessage', 'messages_tab_disabled', 3);
      await place.opensForm('bob');
      await submits({ who: ['U0ZOE', 'U0CARL'], ...days }, 'bob');
      expect(shown('bob')).toContain(
        "Slack didn't deliver my message to Bob, Emil and Carl. Please let them know yourself.",
      );
    });

    test('shows that it is set before both sides are notified', async () => {
      const release = place.slack.faults.holdNext('chat.postMessage');
      await place.opensForm('bob');
      const submitted = submits({ who: ['U0CARL'], ...days }, 'bob');
      await until(() => shown('bob').includes('Set: *<@U0CARL> covers for you*'));
      expect(shown('bob')).toContain('Notifying both…');
      release();
      await submitted;
      expect(shown('bob')).toContain('Both were notified.');
    });

    test('shows a word at once, and the form when everything for it is known', async () => {
      const release = place.slack.faults.holdNext('users.info');
      await place.slack.types('/delegates set', { as: 'bob' });
      const word = await place.slack.modal('bob');
      expect(JSON.stringify(word.blocks)).toContain('Opening the form…');
      expect(word.submit).toBeNull();
      release();
      const form = await place.slack.modal('bob');
      expect(form).toMatchObject({ id: word.id, callback_id: 'set-delegation' });
    });

    test('warns of a circle, of people who are out too and of other cover', async () => {
      await place.opensForm('bob');
      await submits({ who: ['U0CARL'], ...days, categories: ['1'] }, 'bob');
      await place.slack.dismisses({ as: 'bob' });
      await place.opensForm('bob');
      await submits({ who: ['U0ADA'], ...days }, 'bob');
      expect(shown('bob')).toContain(
        'Set: *<@U0ADA> covers for you* Mar 19–20\\n' +
          ':warning: *<@U0ADA>*, who covers for you, is out for Expense all that time.\\n' +
          ':warning: Also set: *Carl covers for you* for Expense Mar 19–20.\\nBoth were notified.',
      );
      await place.slack.dismisses({ as: 'bob' });
      await place.opensForm('ada');
      await submits({ for: 'U0CARL', who: ['U0BOB'], ...days });
      expect(shown('ada')).toContain(
        ':warning: *<@U0BOB>*, who covers for *<@U0CARL>*, is out from Thu, Mar 19',
      );
    });

    test('warns that no one is left', async () => {
      await place.opensForm('ada');
      await submits({ for: 'U0CARL', who: ['U0DORA'], ...days });
      expect(shown('ada')).not.toContain(':warning:');
      await place.slack.dismisses({ as: 'ada' });
      await place.opensForm('ada');
      await submits({ for: 'U0DORA', who: ['U0CARL'], ...days });
      expect(shown('ada')).toContain(
        ':warning: No one covers for *<@U0DORA>* all that time: the people who cover are out too.\\n' +
          ':warning: *<@U0CARL>*, who covers for *<@U0DORA>*, is out all that time: no one steps in.',
      );
    });

    test('is left alone after it was closed', async () => {
      const release = place.slack.faults.holdNext('users.info');
      await place.slack.types('/delegates set', { as: 'bob' });
      await place.slack.modal('bob');
      await place.slack.dismisses({ as: 'bob' });
      release();
      await until(() => place.slack.calls('views.update').length > 0);
      expect(place.slack.openModals('bob')).toEqual([]);
      expect((await place.says('', 'bob')).text).toContain('covers for you');
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

  describe('a typed line', () => {
    test('with dates asks with both people and the dates, and sets it with one click', async () => {
      const asked = await place.says('set @carl mar 19 to mar 20', 'bob');
      expect(asked.text).toBe("Set Carl's cover for you (Mar 19–20)? Both will be notified.");
      expect(place.toldDirectly('carl')).toEqual([]);
      await place.slack.clicks('Set cover', { as: 'bob', on: asked });
      await until(() => place.toldDirectly('carl').length === 1);
      expect(place.toldDirectly('carl')).toEqual(['*You cover for <@U0BOB>* Mar 19–20\nSet by *<@U0BOB>*.']);
      expect((await place.slack.updated()).text).toBe(
        'Set: *Carl covers for you* Mar 19–20\nBoth were notified.',
      );
    });

    test('clicked twice sets one cover, and notifies once', async () => {
      const asked = await place.says('set @carl next week', 'bob');
      await Promise.all([1, 2].map(() => place.slack.clicks('Set cover', { as: 'bob', on: asked })));
      await until(() => place.toldDirectly('carl').length > 0 && place.toldDirectly('bob').length > 0);
      const again = await place.says('set @carl next week', 'bob');
      await place.slack.clicks('Set cover', { as: 'bob', on: again });
      const texts = () => place.slack.messages({ as: 'bob' }).map(({ text }) => text);
      await until(() => texts().includes('Already set: *Carl covers for you* Mar 23–29'));
      expect(place.toldDirectly('carl')).toHaveLength(1);
    });

    test('can be for another person for people who can edit all', async () => {
      const asked = await place.says('set @carl for @dora until friday');
      expect(asked.text).toBe("Set Carl's cover for Dora (Mar 18–20)? Both will be notified.");
      await place.slack.clicks('Set cover', { on: asked });
      await until(() => place.toldDirectly('dora').length === 1);
      expect(place.toldDirectly('dora')).toEqual(['*Carl covers for you* Mar 18–20\nSet by *<@U0ADA>*.']);
    });
  });

  test('people who cannot see cover read who can change that, whatever they ask', async () => {
    await place.dwell.types('delegates', '--view', 'none');
    const refused = "You don't have permission to see out-of-office cover. Ask an admin to change that.";
    for (const line of ['@bob', '@zoe', '', 'week', 'end']) {
      expect((await place.says(line, 'bob')).text).toBe(refused);
    }
    const view = await place.opensForm('bob');
    expect(view).toMatchObject({ submit: null, blocks: [{ text: { text: refused } }] });
  });

  describe('what is wrong with the form', () => {
    test('is said at the field where it can be seen at once', async () => {
      await place.opensForm('bob');
      expect(await submits({ who: ['U0CARL', 'U0BOB'], first: days.last, last: days.first }, 'bob')).toEqual({
        who: 'Choose someone other than the person who is out.',
        last: 'The last day is before the first.',
      });
      await place.slack.dismisses({ as: 'bob' });
      await opensTimes('bob');
      expect(await submits({ who: ['U0CARL'], from: times.from, until: times.from }, 'bob')).toEqual({
        until: "The end isn't after the start.",
      });
      expect(
        await submits(
          { who: ['U0CARL'], from: seconds('2026-03-16T08:00:00Z'), until: seconds(NOON) },
          'bob',
        ),
      ).toEqual({
        until: 'This is over already.',
      });
      expect(place.toldDirectly('carl')).toEqual([]);
    });

    test('is said on top where the days are over, or several accounts are one person’s', async () => {
      await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'carl');
      await place.opensForm('bob');
      await submits({ who: ['U0CARL'], first: '2026-03-16', last: '2026-03-17' }, 'bob');
      expect(shown('bob')).toContain(':warning: These dates are over already. Choose a later end.');
      await submits({ who: ['U0CARL', 'U0ZOE'], ...days }, 'bob');
      expect(shown('bob')).toContain(':warning: The same person is named twice.');
      expect(place.toldDirectly('carl')).toEqual([]);
    });

    test('is said at the field that the register refuses, which comes back with the rest as it was filled in', async () => {
      const path = '/rest/delegation/api/1.0/category';
      const admin = place.dwell.as('ada', { admin: true });
      const { json } = await admin.postJson(path, { name: 'Passing', description: '' });
      await place.opensForm('bob');
      await admin.send('DELETE', `${path}/${json.id}`, undefined);
      await submits({ who: ['U0CARL'], ...days, categories: [String(json.id)] }, 'bob');
      const [view] = place.slack.openModals('bob');
      const at = view?.blocks.findIndex(({ block_id: id }) => id === 'categories') ?? 0;
      const text = { text: expect.stringContaining(`⚠ '${json.id}' is not a category. Try: `) };
      expect(view?.blocks[at + 1]).toMatchObject({ type: 'section', text });
      expect(inputs('bob')).toMatchObject({ who: { initial_users: ['U0CARL'] } });
      expect(place.toldDirectly('carl')).toEqual([]);
    });

    test('or on top of the form, which comes back as it was filled in and can be sent again', async () => {
      await place.opensForm('bob');
      const filled = { who: ['U0ZOE', 'U0CARL'], ...days, categories: ['1', '2'], notes: 'All & more' };
      await submits(filled, 'bob');
      const [view] = place.slack.openModals('bob');
      expect(view?.blocks[0]).toMatchObject({
        type: 'section',
        text: { text: expect.stringMatching(/^:warning: I can't find Zoe in Jira\. No one in/) },
      });
      expect(inputs('bob')).toMatchObject({
        who: { initial_users: ['U0ZOE', 'U0CARL'] },
        first: { initial_date: days.first },
        last: { initial_date: days.last },
        categories: { initial_options: [{ value: '1' }, { value: '2' }] },
        notes: { initial_value: 'All & more' },
      });
      expect(place.toldDirectly('carl')).toEqual([]);

      await submits({ who: ['U0CARL'] }, 'bob');
      expect(shown('bob')).toContain('Set: *<@U0CARL> covers for you*');
      expect(place.toldDirectly('carl')).toHaveLength(1);
    });

    test('is said where the form was opened after it was closed', async () => {
      await place.opensForm('bob');
      const release = place.slack.faults.holdNext('users.info');
      place.dwell.clock.now += 10 * 60_000;
      await place.slack.submits({ who: ['U0ZOE'], ...days }, { as: 'bob' });
      await place.slack.dismisses({ as: 'bob' });
      release();
      const shown = await place.slack.reply();
      expect(shown).toMatchObject({ channel: 'C0GENERAL', onlyFor: 'U0BOB' });
      expect(shown.text).toMatch(/^Nothing was set\. I can't find Zoe/);
    });
  });

  describe('ending', () => {
    test('lists what runs and comes, asks with people and dates, ends it and notifies both sides, once', async () => {
      const list = await place.says('end');
      expect(list.text).toMatch(
        /^\*Which cover do you want to end\?\*\n\*Bob covers for you\* for Expense until Tue, Mar 31/,
      );
      expect(list.blocks?.[1]?.accessory).toMatchObject({
        action_id: 'end-delegation',
        confirm: {
          text: {
            text: expect.stringMatching(
              /^End Bob's cover for you \(Expense, .*Mar 31\)\? Both will be notified\.$/,
            ),
          },
          confirm: { text: 'End cover' },
        },
      });
      const blockId = String(list.blocks?.[1]?.block_id);
      await place.slack.clicks('End', { on: list, blockId });
      const ended = /^Bob's cover for you \(Expense, .*Mar 31\) has ended\. Both were notified\.$/;
      const texts = () => place.slack.messages({ as: 'ada' }).map(({ text }) => text);
      // What both sides read is posted before the answer.
      await until(() => texts().some((text) => ended.test(text)));
      expect(place.toldDirectly('bob')).toEqual([
        '*You no longer cover for <@U0ADA>* for Expense. Ended <!date^1773835200^{date_short_pretty} at {time}|2026-03-18 12:00 UTC> by *<@U0ADA>*.',
      ]);
      expect(place.toldDirectly('ada')).toHaveLength(1);

      await place.slack.clicks('End', { on: list, blockId });
      const again = await place.slack.reply();
      expect(again).toMatchObject({ onlyFor: 'U0ADA' });
      expect(again.text).toMatch(/^Bob's cover for you .* has already ended\.$/);
      expect(place.toldDirectly('bob')).toHaveLength(1);
      expect((await place.says('@ada')).text).toMatch(/^No one covers for you now/);
    });

    test('of one person asks at once, and what has not begun is canceled', async () => {
      await place.opensForm('bob');
      await submits({ who: ['U0DORA'], ...days }, 'bob');
      await place.slack.dismisses({ as: 'bob' });
      const asked = await place.says('end @dora', 'bob');
      expect(asked.text).toBe("End Dora's cover for you (Mar 19–20)? Both will be notified.");
      await place.slack.clicks('End cover', { as: 'bob', on: asked });
      await until(() => place.toldDirectly('dora').length === 2);
      expect(place.toldDirectly('dora')[1]).toBe(
        '*You will not cover for <@U0BOB>* Mar 19–20. Canceled by *<@U0BOB>*.',
      );
    });

    test('of others is for people who can edit all', async () => {
      expect((await place.says('end for @bob')).text).toMatch(/\n\*Carl covers for Bob\* for Expense/);
      expect((await place.says('end @carl for @bob')).text).toMatch(/\n\*Carl covers for Bob\* for Expense/);
      expect((await place.says('end for @ada', 'bob')).text).toMatch(/^You can only change your own cover\./);
    });

    test('the other way round is shown, with the people who can end it', async () => {
      expect((await place.says('end @ada', 'bob')).text).toBe(
        "*Ada* doesn't cover for you. *You cover for Ada* for Expense until Tue, Mar 31. Only *Ada* or an admin can end that.",
      );
      const admin = await place.says('end @bob for @carl');
      expect(admin.text).toMatch(/^\*Bob\* doesn't cover for \*Carl\*\. \*Carl covers for Bob\* for Expense/);
      expect(admin.blocks).toMatchObject([{ accessory: { value: '/delegates end @carl for @bob' } }]);
    });

    test('of cover that is not there offers what is', async () => {
      const none = await place.says('end @dora');
      expect(none.text).toBe("*Dora* doesn't cover for you.");
      await place.slack.clicks('All cover', { on: none });
      expect((await place.slack.reply()).text).toMatch(/^\*Which cover do you want to end\?\*/);
      expect((await place.says('end for @zed')).text).toMatch(/^I can't find `zed` in Jira/);
    });
  });
});
