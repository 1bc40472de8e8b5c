import { TZDate } from '@date-fns/tz';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Delegation } from '../../../src/model/delegation.ts';
import { company } from '../../../src/trackers/sample/company.ts';
import { describeCompany } from '../../../src/trackers/sample/generate-sample.ts';
import { createWorld } from '../../../src/trackers/sample/sample-world.ts';

const { categories, people } = company;
const idOf = (name: string) => categories.find((one) => one.name === name)?.id ?? 0;
const [expense, releases, support] = [idOf('Expense'), idOf('Releases'), idOf('Support')];
const FIRST_DAY = Date.parse('2026-11-21');

/** Five years in steps that meet other weekdays and parts of a month each time. */
const tellings = Array.from({ length: 60 }, (_, step) => {
  const world = createWorld(7, FIRST_DAY + step * 31 * millisecondsInDay);
  return { world, ...describeCompany(world) };
});
const everything = tellings.flatMap(({ delegations }) => delegations);

const isGeneral = ({ categoryIds }: Delegation) => categoryIds.length === 0;

/** Who stands in, by the start of the delegation and then its id. */
function standInsOf(
  who: string,
  category: number,
  at: number,
  arrangements: readonly Delegation[],
): string[] {
  const inForce = arrangements
    .filter((one) => one.active && one.delegator === who && one.start <= at && at < one.end)
    .filter((one) => isGeneral(one) || one.categoryIds.includes(category))
    .sort((a, b) => a.start - b.start || a.id - b.id);
  return [...new Set(inForce.flatMap(({ delegates }) => delegates))];
}

/** Every instant of a telling at which some answer may change, and its very beginning. */
function turningPoints({ world, delegations }: (typeof tellings)[number]): number[] {
  return [world.from, world.today, ...delegations.flatMap(({ start, end }) => [start, end])].filter(
    (at) => at >= world.from && at < world.plannedUntil,
  );
}

describe('the delegations of the sample', () => {
  test('are well-formed, between people and in categories that it has', () => {
    const ids = new Set(people.map(({ id }) => id));
    const known = new Set([expense, releases, support]);
    const whole = (at: number) => at % millisecondsInMinute === 0;
    const wrong = everything.filter(
      (one) =>
        one.version !== 1 ||
        one.id < 1 ||
        one.id > 100_000 ||
        one.end <= one.start ||
        !whole(one.start) ||
        !whole(one.end) ||
        one.delegates.length === 0 ||
        one.delegates.includes(one.delegator) ||
        ![one.delegator, ...one.delegates].every((id) => ids.has(id)) ||
        !one.categoryIds.every((id) => known.has(id)) ||
        one.notes === '',
    );
    expect(wrong).toEqual([]);
  });

  test('have ids of their own, in order, more than one page of them', () => {
    for (const { delegations } of tellings) {
      const ids = delegations.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(ids.length).toBeGreaterThan(100);
    }
  });

  test('are the same by id on whatever day they are told', () => {
    const first = new Map(everything.toReversed().map((one) => [one.id, one]));
    expect(everything.filter((one) => JSON.stringify(one) !== JSON.stringify(first.get(one.id)))).toEqual([]);
    expect(first.size).toBeLessThan(everything.length / 5);
  });

  test('are all those of the time that is told: none comes or goes within it', () => {
    for (const [i, later] of tellings.entries()) {
      const earlier = tellings[i - 1];
      if (earlier === undefined) continue;
      const both = ({ start, end }: Delegation) =>
        end > later.world.from && start < earlier.world.plannedUntil;
      expect(later.delegations.filter(both)).toEqual(earlier.delegations.filter(both));
    }
  });

  test('name categories with a description, by id', () => {
    for (const { categories } of tellings) {
      expect(categories.map(({ id, name }) => [id, name])).toEqual([
        [1, 'Expense'],
        [2, 'Releases'],
        [3, 'Support'],
      ]);
      expect(categories.every(({ description }) => description !== '')).toBe(true);
    }
  });

  test('on the day docs/delegations.md shows ask bob for ada’s expenses, and nobody else', () => {
    const { delegations } = describeCompany(createWorld(7, FIRST_DAY));
    expect(standInsOf('ada', expense, FIRST_DAY, delegations)).toEqual(['bob']);
    expect(standInsOf('bob', expense, FIRST_DAY, delegations)).toEqual([]);
    expect(standInsOf('kira', releases, FIRST_DAY, delegations)).toEqual(['hugo']);
  });
});

describe('at any instant of the time that is told', () => {
  test('bob, and only bob, stands in for ada’s expenses', () => {
    for (const telling of tellings) {
      const answers = turningPoints(telling).map((at) => standInsOf('ada', expense, at, telling.delegations));
      expect(new Set(answers.map((names) => names.join()))).toEqual(new Set(['bob']));
    }
  });

  test('lars and mona are among those who stand in for nina’s support', () => {
    for (const telling of tellings) {
      const lacking = turningPoints(telling).filter((at) => {
        const names = standInsOf('nina', support, at, telling.delegations);
        return !names.includes('lars') || !names.includes('mona');
      });
      expect(lacking).toEqual([]);
    }
  });
});

describe('in any month', () => {
  const days = tellings.flatMap(({ world, delegations }) => {
    const date = new Date(world.today);
    const noon = (day: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day, 12);
    return [{ noon, month: date.getUTCMonth() + 1, delegations }];
  });
  const specificOnly = (arrangements: readonly Delegation[]) => arrangements.filter((one) => !isGeneral(one));

  test('bob is away too until the 15th, and there from the 16th', () => {
    for (const { noon, delegations } of days) {
      const arrangements = specificOnly(delegations);
      const answers = [1, 15, 16, 28].map((day) => standInsOf('bob', expense, noon(day), arrangements));
      expect(answers).toEqual([['carl'], ['carl'], [], []]);
    }
  });

  test('lars and mona rely on each other from the 10th to the 12th', () => {
    for (const { noon, delegations } of days) {
      const arrangements = specificOnly(delegations);
      const answers = [9, 10, 12, 13].map((day) => [
        ...standInsOf('lars', support, noon(day), arrangements),
        ...standInsOf('mona', support, noon(day), arrangements),
      ]);
      expect(answers).toEqual([[], ['mona', 'lars'], ['mona', 'lars'], []]);
    }
  });

  test('hugo releases for kira in January, March and so on', () => {
    for (const { noon, month, delegations } of days) {
      const answer = standInsOf('kira', releases, noon(5), specificOnly(delegations));
      expect(answer).toEqual(month % 2 === 1 ? ['hugo'] : []);
    }
  });

  test('one delegation of the year is switched off, and some have ended', () => {
    for (const { noon, delegations } of days) {
      const off = delegations.filter((one) => !one.active && one.start <= noon(1) && noon(1) < one.end);
      expect(off.map(({ delegator }) => delegator)).toEqual(['dora']);
      expect(delegations.some((one) => one.active && one.end <= noon(1))).toBe(true);
    }
  });
});

describe('vacations', () => {
  test('are each covered for everything, from the first midnight to the last, illnesses are not', () => {
    for (const { world, delegations } of tellings) {
      const vacations = world.absences.filter(({ reason }) => reason === 'vacation');
      const wished = vacations.map(({ who, cover, start, end }) => ({
        delegator: who,
        delegates: [who === 'ada' ? 'bob' : cover],
        start,
        end,
      }));
      const covered = delegations
        .filter(isGeneral)
        .map(({ delegator, delegates, start, end }) => ({ delegator, delegates, start, end }));
      const byTime = (a: { start: number; delegator: string }, b: { start: number; delegator: string }) =>
        a.start - b.start || (a.delegator < b.delegator ? -1 : 1);
      expect(covered.sort(byTime)).toEqual(wished.sort(byTime));
      expect(covered.length).toBeGreaterThan(50);
    }
  });

  test('have a note with the day of return, which is a day of work', () => {
    const zoneOf = new Map(people.map(({ id, office }) => [id, office]));
    for (const { world, delegations } of tellings.slice(0, 12)) {
      for (const one of delegations.filter(isGeneral)) {
        const office = world.offices[zoneOf.get(one.delegator) ?? 'Berlin'];
        const [, weekday, day, month] = /(\w+day) (\d+) (\w+)/.exec(one.notes) ?? [];
        const end = new TZDate(one.end, office.timeZone);
        const inMonth = Date.parse(`${day} ${month} ${end.getFullYear()} UTC`);
        const date = new Date(inMonth).toISOString().slice(0, 10);
        expect(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']).toContain(weekday);
        expect(office.holidays.map((holiday) => holiday.date)).not.toContain(date);
        const waited = inMonth - Date.UTC(end.getFullYear(), end.getMonth(), end.getDate());
        expect(waited).toBeGreaterThanOrEqual(0);
        expect(waited).toBeLessThanOrEqual(5 * millisecondsInDay);
      }
    }
  });

  test('say when somebody is back', () => {
    const note = everything.find(
      (one) => one.delegator === 'bob' && isGeneral(one) && one.start > FIRST_DAY,
    )?.notes;
    expect(note).toBe('Back on Wednesday 6 January, with tea.');
  });
});
