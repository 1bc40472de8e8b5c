import { describe, expect, test } from '#jest';
import { underZones } from '../../support/under-zones.ts';
import { aWorld, change, issueWith } from './a-world.ts';
import { found, refusal } from './ask.ts';

/** Issues named by nothing but the instants they were created at. */
function bornAt(...instants: readonly string[]) {
  return instants.map((created, i) => issueWith(`A-${i + 1}`, {}, { created }));
}

underZones(() => {
  describe('an absolute date', () => {
    const issues = bornAt(
      '2026-03-09T22:59:59.999Z',
      '2026-03-09T23:00:00Z',
      '2026-03-09T23:00:59.999Z',
      '2026-03-10T13:30:00Z',
    );
    const world = aWorld({ issues, timeZone: 'Europe/Berlin' });

    test.each([
      ['created < 2026-03-10', ['A-1']],
      ['created >= "2026/03/10"', ['A-2', 'A-3', 'A-4']],
      ['created = 2026-03-10', ['A-2', 'A-3']],
      ['created != 2026-03-10', ['A-1', 'A-4']],
      ['created > 2026-03-10', ['A-3', 'A-4']],
      ['created <= 2026-03-10', ['A-1', 'A-2']],
      ['created = "2026-03-10 14:30"', ['A-4']],
      ['createdDate in (2026-03-10, "2026/3/10 14:30")', ['A-2', 'A-3', 'A-4']],
      ['created is empty', []],
    ])('is read in the zone of the principal: %s', (jql, keys) => {
      expect(found(jql, world)).toEqual(keys);
    });
  });

  describe('a period', () => {
    const issues = bornAt(
      '2026-03-13T12:00:00Z',
      '2026-03-19T12:00:00Z',
      '2026-03-20T08:59:00Z',
      '2026-03-20T11:31:00Z',
    );
    const world = aWorld({ issues });

    test.each([
      ['created >= -1w', ['A-1', 'A-2', 'A-3', 'A-4']],
      ['created > -1w', ['A-2', 'A-3', 'A-4']],
      ['created >= "-1d 1h"', ['A-2', 'A-3', 'A-4']],
      ['created > -3h', ['A-4']],
      ['created > -30m', ['A-4']],
      ['created < 5d', ['A-1', 'A-2', 'A-3', 'A-4']],
      ['created < now()', ['A-1', 'A-2', 'A-3', 'A-4']],
    ])('counts from now: %s', (jql, keys) => {
      expect(found(jql, world)).toEqual(keys);
    });

    test('of a day is 24 hours even where the clock is put forward', () => {
      const berlin = aWorld({
        issues: bornAt('2026-03-28T12:30:00Z', '2026-03-28T13:30:00Z'),
        now: '2026-03-29T13:00:00Z',
        timeZone: 'Europe/Berlin',
      });
      expect(found('created > -1d', berlin)).toEqual(['A-2']);
    });
  });

  describe('a date function', () => {
    test.each([
      // A Wednesday in the week before the clocks of Berlin are put forward.
      ['startOfDay()', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-24T23:00:00Z'],
      ['startofday(-1)', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-23T23:00:00Z'],
      ['startOfDay("-1w")', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-17T23:00:00Z'],
      ['startOfDay("+5d")', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
      ['startOfDay("14h")', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-25T13:00:00Z'],
      ['endOfDay()', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-25T22:59:59.999Z'],
      ['endOfDay("+1")', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-26T22:59:59.999Z'],
      ['startOfWeek()', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-22T23:00:00Z'],
      ['startOfWeek(1)', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
      ['endOfWeek()', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
      ['startOfMonth()', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-02-28T23:00:00Z'],
      ['startOfMonth("+14d")', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-14T23:00:00Z'],
      ['endOfMonth()', '2026-03-25T12:00Z', 'Europe/Berlin', '2026-03-31T21:59:59.999Z'],
      ['endOfMonth("+1")', '2026-02-10T12:00Z', 'UTC', '2026-03-31T23:59:59.999Z'],
      ['endOfMonth(-1)', '2026-03-25T12:00Z', 'UTC', '2026-02-28T23:59:59.999Z'],
      ['endOfMonth("15d")', '2026-03-25T12:00Z', 'UTC', '2026-04-15T23:59:59.999Z'],
      ['startOfQuarter()', '2026-03-25T12:00Z', 'UTC', '2026-01-01T00:00:00Z'],
      ['startOfQuarter(-1)', '2026-03-25T12:00Z', 'UTC', '2025-10-01T00:00:00Z'],
      ['endOfQuarter()', '2026-03-25T12:00Z', 'UTC', '2026-03-31T23:59:59.999Z'],
      ['startOfYear("-1y")', '2026-03-25T12:00Z', 'UTC', '2025-01-01T00:00:00Z'],
      ['endOfYear("1M")', '2026-03-25T12:00Z', 'UTC', '2027-01-31T23:59:59.999Z'],
      // A Sunday belongs to the week of the Monday before it.
      ['startOfWeek()', '2026-03-29T12:00Z', 'UTC', '2026-03-23T00:00:00Z'],
      // The day on which the clocks are put forward has 23 hours, the one on which they are put back 25.
      ['startOfDay()', '2026-03-29T12:00Z', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
      ['endOfDay()', '2026-03-29T12:00Z', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
      ['endOfDay()', '2026-10-25T12:00Z', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
      // Midnight of 2018-11-04 was skipped there: the day began at one.
      ['startOfDay()', '2018-11-04T12:00Z', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
      ['now()', '2026-03-25T12:00Z', 'UTC', '2026-03-25T12:00:00Z'],
      ['"2026-03-29 02:30"', '2026-03-30T12:00Z', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
      ['"2026-10-25 02:30"', '2026-10-30T12:00Z', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ])('%s at %s in %s is %s', (call, now, timeZone, at) => {
      const instant = Date.parse(at);
      const world = aWorld({
        issues: [instant - 1, instant].map((resolved, i) =>
          issueWith(
            `A-${i + 1}`,
            { customfield_1: new Date(resolved).toISOString() },
            { created: '2010-01-01T00:00Z' },
          ),
        ),
        now,
        timeZone,
      });
      expect(found(`customfield_1 < ${call}`, world)).toEqual(['A-1']);
      expect(found(`customfield_1 >= ${call}`, world)).toEqual(['A-2']);
    });
  });

  describe('a due date is compared by days', () => {
    const issues = ['2026-03-19', '2026-03-20', '2026-03-21', null].map((duedate, i) =>
      issueWith(`A-${i + 1}`, { duedate }),
    );
    const world = aWorld({ issues, timeZone: 'Pacific/Auckland', now: '2026-03-19T12:00:00Z' });

    test.each([
      ['due <= now()', ['A-1', 'A-2']],
      ['due < now()', ['A-1']],
      ['duedate = 2026-03-20', ['A-2']],
      ['due != 2026-03-20', ['A-1', 'A-3']],
      ['due > endOfDay()', ['A-3']],
      ['due is empty', ['A-4']],
      ['due = "2026-03-20 23:30"', ['A-2']],
    ])('%s', (jql, keys) => {
      expect(found(jql, world)).toEqual(keys);
    });
  });

  test("Jira's way of writing an offset without a colon is read", () => {
    const issues = ['2026-03-20T10:00:00.000+0100', '2026-03-20T10:00:00.000+0000'].map((customfield_1, i) =>
      issueWith(`A-${i + 1}`, { customfield_1 }),
    );
    expect(found('cf[1] < "2026-03-20 09:30"', aWorld({ issues }))).toEqual(['A-1']);
  });

  describe('an instant that lay ahead then is not told', () => {
    const issue = issueWith(
      'A-1',
      { status: { id: '5', name: 'Done' } },
      {
        resolved: '2026-03-10T10:00:00Z',
        changes: [change('status', 'To Do', 'Done', '2026-03-10T10:00:00Z')],
      },
    );
    const before = aWorld({ issues: [issue], now: '2026-03-09T00:00:00Z' });

    test('the resolution had not happened', () => {
      expect(found('resolved is empty', before)).toEqual(['A-1']);
      expect(found('resolved is not empty', aWorld({ issues: [issue] }))).toEqual(['A-1']);
    });

    test('the last update was an earlier one', () => {
      expect(found('updated = "2026-03-02 09:00"', before)).toEqual(['A-1']);
      expect(found('updated = "2026-03-10 10:00"', aWorld({ issues: [issue] }))).toEqual(['A-1']);
    });

    test('a change at that very instant had happened', () => {
      const later = {
        ...issue,
        changes: [...issue.changes, change('status', 'Done', 'To Do', '2026-03-12T10:00:00Z')],
      };
      const world = aWorld({
        issues: [{ ...later, updated: Date.parse('2026-03-12T10:00:00Z') }],
        now: '2026-03-10T10:00:00Z',
      });
      expect(found('updated = "2026-03-10 10:00"', world)).toEqual(['A-1']);
    });

    test('an issue that did not exist yet matches nothing, not even a negation', () => {
      const unborn = aWorld({ issues: [issue], now: '2026-03-01T00:00:00Z' });
      expect(found('NOT status = Done', unborn)).toEqual([]);
      expect(found('', unborn)).toEqual([]);
    });
  });

  test('an earlier resolution that was undone is found in the history', () => {
    const issue = issueWith(
      'A-1',
      { resolution: { id: 'Fixed', name: 'Fixed' } },
      {
        resolved: '2026-03-15T10:00:00Z',
        changes: [
          change('resolution', null, 'Fixed', '2026-03-05T10:00:00Z'),
          change('resolution', 'Fixed', null, '2026-03-08T10:00:00Z'),
          change('resolution', null, 'Fixed', '2026-03-15T10:00:00Z'),
        ],
      },
    );
    expect(
      found('resolved = "2026-03-05 10:00"', aWorld({ issues: [issue], now: '2026-03-06T00:00:00Z' })),
    ).toEqual(['A-1']);
    expect(found('resolved is empty', aWorld({ issues: [issue], now: '2026-03-09T00:00:00Z' }))).toEqual([
      'A-1',
    ]);
  });

  test.each([
    ['created > yesterday', "'yesterday' at position 10 is not a date, as created needs"],
    ['created > 2026-02-30', "'2026-02-30' at position 10 is not a date"],
    ['created > "2026-01-31 24:30"', 'is not a date'],
    ['created > "2026-01/31"', 'is not a date'],
    ['created > -1M', "'-1M' at position 10 is not a date"],
    ['created > -5', "'-5' at position 10 is not a date"],
    ['created > -99999999w', 'is not a date'],
    ['created > startOfDay("1x")', '\'"1x"\' at position 21 does not move a date'],
    ['created > startOfDay("9999y")', 'does not move a date'],
    ['created > startOfDay(1, 2)', 'has 2 arguments. Try: 0 to 1 argument.'],
    ['created > now(1)', 'has 1 arguments. Try: no arguments.'],
    ['created > currentUser()', "'currentUser' at position 10 is not a function that created takes"],
    ['created ~ 2026', "'~' at position 8 is not an operator that created takes"],
    ['created was 2026-01-01', "'was' at position 8 is not an operator that created takes"],
  ])('%s is refused', (jql, why) => {
    expect(refusal(jql, aWorld({ issues: [] }))).toContain(why);
  });
});
