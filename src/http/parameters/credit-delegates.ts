import { words } from '../parameter.ts';

/** Categories by name; none: every one. Null: time is the assignee's, whoever stood in. */
export const creditDelegates = words
  .transform((names): readonly string[] | null => {
    const [only, ...others] = names.map((name) => name.toLowerCase());
    if (others.length > 0 || (only !== 'true' && only !== 'false')) return names;
    return only === 'true' ? [] : null;
  })
  .optional()
  .meta({
    type: 'array',
    items: { type: 'string' },
    description:
      'With columnsBy assigneeDuration: time of an assignee somebody stood in for is told in columns of its own. Names of categories of delegations, the first that covers it counting; true: every category, general first; false: none.',
  });
