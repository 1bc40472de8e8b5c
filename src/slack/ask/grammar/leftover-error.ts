import { type AppError, badRequest, badRequestAs } from '../../../model/error.ts';
import { shorten } from '../../../output/readable-text.ts';
import { calendarName } from '../../../time/working-days.ts';
import { didYouMean, namesMeant, nearestOf, unknownWord } from './names-meant.ts';
import { lastTail, parseOptions, statisticWords, tailKinds } from './parse-options.ts';
import { filterKinds, type ParserContext } from './parser-context.ts';
import { oneOf, plainText, units, type Word, wordsOf } from './typed-words.ts';

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

const MAX_SHOWN_LENGTH = 60;

const endWords = ['last', 'this', 'since', 'between', 'days', 'weeks', 'months', 'quarter', 'year'];
const endings: ReadonlySet<string> = new Set(['in', 'by', 'last', 'past', 'this', 'since', 'between']);
/** Shorter words are near too many. */
const MIN_LENGTH = 3;

/** Why words that are no filter are none: a misspelt end, or else an unknown name. */
export async function leftoverError(
  words: readonly Word[],
  context: ParserContext,
  kind: 'project' | null = null,
): Promise<AppError> {
  const { calendars, reportTypes, isProject, words: known } = context;
  const tail = await lastTail(words, tailKinds, context);
  if (tail !== null && tail.start > 0) {
    const misplaced = shorten(plainText(words.slice(tail.start)), MAX_SHOWN_LENGTH);
    return badRequest(`I can't use "${misplaced}" in this question.`);
  }
  const whole = shorten(plainText(words), MAX_SHOWN_LENGTH);
  // The last end is the one that could not be read; it has something after it.
  for (let at = words.length - 2; at >= 0; at -= 1) {
    const plain = words[at]?.plain ?? '';
    if (!endings.has(plain.toLowerCase())) continue;
    const after = shorten(plainText(words.slice(at + 1)), MAX_SHOWN_LENGTH);
    switch (plain.toLowerCase()) {
      case 'in':
        if (oneOf(units, after) !== undefined) {
          return badRequestAs(
            'invalid-value',
            `Answers are in hours or days, not in ${after}. Try: in hours, in days.`,
            { value: after, meant: ['hours', 'days'] },
          );
        }
        return unknownWord('calendar', after, calendars.map(calendarName));
      case 'by':
        return unknownWord('field or report', after, [...commonFields, ...reportTypes.map(({ id }) => id)]);
      default:
        return endError(`I don't know the time "${plain} ${after}".`, words.slice(at), context);
    }
  }
  const [first] = words;
  if (words.length > 1 && first !== undefined && (await isProject(first.plain))) {
    const rest = shorten(plainText(words.slice(1)), MAX_SHOWN_LENGTH);
    return endError(`I don't know what "${rest}" means after "${first.plain}".`, words.slice(1), context);
  }
  const projects = (await context.knownBeside('project', whole))?.names ?? [];
  const near = kind === null ? nearestOf(first?.plain ?? '', [...known, ...filterKinds]) : null;
  const meant = near === null ? namesMeant(whole, projects).slice(0, 1) : [near];
  return badRequestAs(
    'invalid-value',
    [
      kind === 'project'
        ? `I couldn't find a project "${whole}". Try: the key or the name of a project you can see.`
        : `I couldn't find a project or an issue "${whole}".`,
      ...didYouMean(meant),
    ],
    { kind: 'words', value: near === null ? whole : (first?.plain ?? ''), meant },
  );
}

/** Refuses an end; where one other word makes it readable, that word was likely meant. */
async function endError(sentence: string, words: readonly Word[], context: ParserContext): Promise<AppError> {
  const allowed = [...endWords, ...statisticWords];
  // A long message may repeat a word that is near none.
  const far = new Set<string>();
  for (const [at, { plain }] of words.entries()) {
    if (plain.length < MIN_LENGTH || far.has(plain)) continue;
    const near = nearestOf(plain, allowed);
    if (near === null) {
      far.add(plain);
      continue;
    }
    const replaced = [...words.slice(0, at), ...wordsOf(near), ...words.slice(at + 1)];
    const { rest } = await parseOptions(replaced, tailKinds, context);
    if (rest.length > 0) continue;
    return badRequestAs('invalid-value', [sentence, ...didYouMean([near])], {
      kind: 'words',
      value: plain,
      meant: [near],
    });
  }
  return badRequestAs('invalid-value', sentence, { kind: 'words' });
}
