import type { Selection } from '../../model/request.ts';
import { asLiteral } from '../../questions/parse/typed-words.ts';

/** A choice of issues as it would stand behind `/tis`. */
export function filterText(selection: Selection): string {
  switch (selection.by) {
    case 'keys':
      return selection.keys.join(', ');
    case 'project':
      return `project ${selection.project}`;
    case 'savedFilter':
      return `filter ${selection.id}`;
    case 'sprint':
      return `sprint ${selection.id}`;
    case 'jql':
      return `jql ${selection.jql}`;
    case 'user': {
      const user = asLiteral(selection.user);
      return `jql assignee = ${user} or assignee was ${user}`;
    }
  }
}
