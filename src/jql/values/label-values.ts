import type { Compilation } from '../compilation.ts';
import { functionCalled } from './call.ts';
import { byName, idOf, type Values } from './values.ts';

/** Labels. Anybody may coin one, so any word is allowed; case does not matter. */
export function labelValues(compilation: Compilation): Values {
  return {
    equal: (asked, inList) => {
      if (asked.kind === 'call') functionCalled(asked, [], { compilation, title: 'labels', inList });
      const wanted = asked.kind === 'value' ? asked.text.trim().toLowerCase() : '';
      return (item) => idOf(item).toLowerCase() === wanted;
    },
    sortKey: byName,
  };
}
