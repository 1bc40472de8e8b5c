import type { Sprint } from '../../model/directory.ts';
import type { Instant } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import { checkArguments, functionCalled } from './call.ts';
import { isOneOf, knownIds } from './named-values.ts';
import { byName, type Values } from './values.ts';

const stateAsked: Readonly<Record<string, Sprint['state']>> = {
  opensprints: 'active',
  closedsprints: 'closed',
  futuresprints: 'future',
};

/** Sprints by name or id, and `openSprints()`, `closedSprints()`, `futureSprints()` as they were then. */
export function sprintValues(fields: readonly string[], compilation: Compilation): Values {
  const { world } = compilation;
  const { sprints } = world.directory;
  const ids = knownIds({ title: 'sprint', fields, listed: sprints }, compilation);
  return {
    equal: (asked, inList) => {
      if (asked.kind === 'value') return isOneOf(ids(asked));
      const taken = ['openSprints', 'closedSprints', 'futureSprints'];
      const called = functionCalled(asked, taken, { compilation, title: 'sprint', inList });
      checkArguments(asked, compilation, 0);
      const state = stateAsked[called];
      return isOneOf(new Set(sprints.filter((one) => stateAt(one, world.now) === state).map(({ id }) => id)));
    },
    sortKey: byName,
  };
}

/** The state told is that of today; the instants beside it tell which one it had at an earlier instant. */
function stateAt({ state, start, completed }: Sprint, now: Instant): Sprint['state'] {
  if (state === 'future') return 'future';
  if (start !== null && start > now) return 'future';
  return state === 'closed' && (completed === null || completed <= now) ? 'closed' : 'active';
}
