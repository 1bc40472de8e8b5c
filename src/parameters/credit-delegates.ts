import { z } from 'zod';

/** The report type that has a use for it; from a parameter set it is left out with any other. */
export const creditingReport = 'assigneeDuration';

/**
 * Categories by id or name, in texts of one or several with commas between, as only who knows the categories can tell
 * them apart; none: every one. Null: time is the assignee's, whoever stood in.
 */
export const creditDelegates = z
  .string()
  .transform((text): readonly string[] | null => {
    const words = new Set(text.split(',').map((word) => word.trim().toLowerCase()));
    words.delete('');
    const [only = 'false'] = words;
    if (words.size <= 1 && only === 'true') return [];
    if (words.size <= 1 && only === 'false') return null;
    const texts = creditTexts(text);
    return texts.length === 0 ? null : texts;
  })
  .optional()
  .meta({
    type: 'array',
    items: { type: 'string' },
    description:
      'With columnsBy assigneeDuration: time of an assignee somebody stood in for is told in columns of its own. Names or ids of categories of delegations, the first that covers it counting; a name may stand in double quotes ("true"). true: every category, general first; false: none.',
  });

/** A name in quotes, whatever it is made of; quotes within are doubled. */
const quoted = /(?<=^|,)\s*"((?:[^"]|"")*)"\s*(?=,|$)/;

/** The categories that a text names; splitting leaves what was in quotes at odd places. */
export function creditTexts(text: string): readonly string[] {
  return text
    .split(quoted)
    .map((part, i) => (i % 2 === 1 ? part.replaceAll('""', '"') : part))
    .filter((part) => /[^\s,]/.test(part));
}
