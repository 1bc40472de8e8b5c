import type { Category, Delegation } from '../../model/delegation.ts';
import { expense, releases, support } from './categories.ts';
import { dayOf, delegationId, monthOf } from './delegation-id.ts';
import { officeZones } from './office.ts';
import { localMidnight, type Span } from './office-hours.ts';

/** What is arranged anew every so many months, from one day of a month to another, the Berlin office's midnights. */
interface Standing {
  /** Part of the id, above those of vacations. */
  readonly slot: number;
  readonly everyMonths: number;
  readonly fromDay: number;
  readonly until: { readonly monthsLater: number; readonly day: number };
  readonly delegator: string;
  readonly delegates: readonly string[];
  readonly category: Category;
  readonly active: boolean;
  readonly notes: string;
}

const wholeMonths = (count: number) => ({
  everyMonths: count,
  fromDay: 1,
  until: { monthsLater: count, day: 1 },
});

/** From the 10th to the 12th the two who know the service desk best are both away, and each relies on the other. */
const fair = {
  everyMonths: 1,
  fromDay: 10,
  until: { monthsLater: 0, day: 13 },
  category: support,
  active: true,
  notes: 'At the trade fair.',
};

const standings: readonly Standing[] = [
  {
    ...wholeMonths(3),
    slot: 21,
    delegator: 'ada',
    delegates: ['bob'],
    category: expense,
    active: true,
    notes: 'Up to 500 EUR; more waits for me.',
  },
  {
    ...wholeMonths(3),
    slot: 22,
    delegator: 'nina',
    delegates: ['lars', 'mona'],
    category: support,
    active: true,
    notes: 'Lars first, Mona when he is on the phone.',
  },
  {
    ...wholeMonths(1),
    everyMonths: 2,
    slot: 23,
    delegator: 'kira',
    delegates: ['hugo'],
    category: releases,
    active: true,
    notes: 'We take turns, month by month.',
  },
  {
    slot: 24,
    everyMonths: 1,
    fromDay: 1,
    until: { monthsLater: 0, day: 16 },
    delegator: 'bob',
    delegates: ['carl'],
    category: expense,
    active: true,
    notes: 'Visiting the roastery until the 15th.',
  },
  { ...fair, slot: 25, delegator: 'lars', delegates: ['mona'] },
  { ...fair, slot: 26, delegator: 'mona', delegates: ['lars'] },
  {
    ...wholeMonths(12),
    slot: 27,
    delegator: 'dora',
    delegates: ['emil'],
    category: expense,
    active: false,
    notes: 'Called off: the budget stays with Ada.',
  },
];

/** Every arrangement that touches the span, the same from whatever span it is looked at. */
export function standingDelegations({ from, until }: Span): Delegation[] {
  const lastMonth = monthOf(until);
  return standings.flatMap((standing) => {
    const told: Delegation[] = [];
    for (let month = monthOf(from) - standing.everyMonths; month <= lastMonth; month += 1) {
      const one = delegationOf(standing, month);
      if (month % standing.everyMonths === 0 && one.end > from && one.start < until) told.push(one);
    }
    return told;
  });
}

function delegationOf(standing: Standing, month: number): Delegation {
  const { slot, fromDay, until, delegator, delegates, category, active, notes } = standing;
  return {
    id: delegationId(month, slot),
    version: 1,
    active,
    delegator,
    delegates,
    categoryIds: [category.id],
    start: localMidnight(officeZones.Berlin, dayOf(month, fromDay)),
    end: localMidnight(officeZones.Berlin, dayOf(month + until.monthsLater, until.day)),
    notes,
  };
}
