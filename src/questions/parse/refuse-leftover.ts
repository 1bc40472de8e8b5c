import { shorten } from '../../block-kit/mrkdwn.ts';
import { type AppError, badRequest } from '../../model/error.ts';
import { calendarName } from '../../time/hours-text.ts';
import { didYouMean, namesMeant, nearestOf, unknownWord } from './names-meant.ts';
import { filterKinds, type ParserContext } from './parser-context.ts';
import { allowedRanges } from './read-range.ts';
import { lastTail, statisticWords, tailKinds } from './take-tails.ts';
import { oneOf, plainText, units, type Word } from './typed-words.ts';

/** Fields people group by most; any other that the issues have works as well. */
const commonFields = [
  'assignee',
  'issuetype',
  'priority',
  'project',
  'reporter',
  'status',
  'components',
  'labels',
];

const LONGEST = 60;

/** Why words that are no filter are none: a misspelt end, or else an unknown name. */
export async function refuseLeftover(
  words: readonly Word[],
  asking: ParserContext,
  kind: 'project' | null = null,
): Promise<AppError> {
  const { calendars, reportTypes, isProject, words: known } = asking;
  const tail = await lastTail(words, tailKinds, asking);
  if (tail !== null && tail.start > 0) {
    const misplaced = shorten(plainText(words.slice(tail.start)), LONGEST);
    return badRequest(
      `I can't use "${misplaced}" in this question. Try: in CALENDAR after the issues, a week after weekly, a time in compare.`,
    );
  }
  const whole = shorten(plainText(words), LONGEST);
  for (const [at, { plain }] of words.entries()) {
    const after = shorten(plainText(words.slice(at + 1)), LONGEST);
    // A lone word is a name; an end follows one, and has something after it.
    if (after === '') break;
    switch (plain.toLowerCase()) {
      case 'in':
        if (oneOf(units, after) !== undefined) {
          return badRequest(`Answers are in hours or days, not in ${after}. Try: in hours, in days.`);
        }
        return unknownWord('calendar', after, calendars.map(calendarName));
      case 'by':
        return unknownWord('field or report', after, [...commonFields, ...reportTypes.map(({ id }) => id)]);
      case 'last':
      case 'past':
      case 'this':
      case 'since':
      case 'between':
        return badRequest(`I can't read "${plain} ${after}" as a time. Try: ${allowedRanges}.`);
    }
  }
  const [first] = words;
  if (words.length > 1 && first !== undefined && (await isProject(first.plain))) {
    const rest = shorten(plainText(words.slice(1)), LONGEST);
    return badRequest(
      `I don't know what "${rest}" means after "${first.plain}". Try: a time (last 30 days), by FIELD, a statistic (median), in CALENDAR.`,
      ...didYouMean(rest, statisticWords),
    );
  }
  const projects = (await asking.knownBeside('project', whole))?.names ?? [];
  const near = kind === null ? nearestOf(first?.plain ?? '', [...known, ...filterKinds]) : null;
  const [project] = near === null ? namesMeant(whole, projects) : [];
  return badRequest(
    kind === 'project'
      ? `I couldn't find a project "${whole}". Try: the key or the name of a project you can see.`
      : `I couldn't find a project or an issue "${whole}". Try: an issue key, a project, sprint NAME, filter NAME, assignee NAME or jql QUERY.`,
    ...(near === null ? [] : [`Did you mean /tis ${near}?`]),
    ...(project === undefined ? [] : [`Did you mean the project "${project}"?`]),
  );
}
