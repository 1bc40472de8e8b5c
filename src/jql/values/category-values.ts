import type { StatusCategory } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import { refuse } from '../refuse.ts';
import { functionCalled } from './call.ts';
import { byName, type Values } from './values.ts';

/** Jira's own keys and ids of the categories, which queries may use instead of the names. */
const categories: Readonly<Record<string, StatusCategory>> = {
  'to do': 'To Do',
  new: 'To Do',
  2: 'To Do',
  'in progress': 'In Progress',
  indeterminate: 'In Progress',
  4: 'In Progress',
  done: 'Done',
  3: 'Done',
  undefined: 'Undefined',
  'no category': 'Undefined',
  1: 'Undefined',
};

/** Categories of statuses by name, key or id. */
export function categoryValues(compilation: Compilation): Values {
  return {
    equal: (asked, inList) => {
      if (asked.kind === 'call') functionCalled(asked, [], { compilation, title: 'statusCategory', inList });
      const wanted = asked.kind === 'value' ? asked.text.trim().toLowerCase() : '';
      const category = Object.hasOwn(categories, wanted) ? categories[wanted] : undefined;
      if (category === undefined) {
        throw refuse(
          compilation.name,
          asked,
          'is not a status category; allowed: To Do, In Progress, Done, Undefined.',
        );
      }
      return (item) => item === category;
    },
    sortKey: byName,
  };
}
