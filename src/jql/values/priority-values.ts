import { compareIds } from '../../issues/ids-and-names.ts';
import type { Compilation } from '../compilation.ts';
import { refuse } from '../refuse.ts';
import { holds } from './holds.ts';
import { knownIds, namedValues } from './named-values.ts';
import { idOf, type Values } from './values.ts';

/**
 * Priorities by name or id. Trackers number them from the most important one on, so `priority > Medium` asks for
 * smaller ids. Of a name that several share, any may be the one compared with.
 */
export function priorityValues(compilation: Compilation): Values {
  const field = { title: 'priority', fields: ['priority'] };
  const ids = knownIds(field, compilation);
  return {
    ...namedValues(field, compilation),
    compare: (sign, asked) => {
      if (asked.kind === 'call')
        throw refuse(compilation.name, asked, 'is no priority; allowed: its name or its id.');
      const wanted = [...ids(asked)];
      return (item) => wanted.some((id) => holds(sign, compareIds(id, idOf(item))));
    },
    sortKey: (item) => sortable(idOf(item)),
    descending: true,
  };
}

/** Ascending is from the least important one on, so the number counts downwards. */
function sortable(id: string): number {
  return /^\d+$/.test(id) ? -Number(id) : Number.NEGATIVE_INFINITY;
}
