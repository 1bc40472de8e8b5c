import { unknownNames } from '../../../api/parameters/saved-report.ts';
import { type AppError, badRequestAs } from '../../../model/error.ts';
import type { User } from '../../../model/issue.ts';
import type { ParameterSet } from '../../../model/parameter-set.ts';
import { shorten } from '../../../output/readable-text.ts';
import { notice } from '../../app/message-texts.ts';
import { onlyMeant, unknownWord } from '../../ask/grammar/names-meant.ts';
import type { ParserContext, QuestionReader } from '../../ask/grammar/parser-context.ts';
import { sourceOf, unquoted } from '../../ask/grammar/typed-words.ts';
import { type Line, lineBlocks, type Message, someOf } from '../../blocks/message.ts';
import { codeText, escapeMrkdwn, lineText } from '../../blocks/mrkdwn.ts';

/** More are not listed. */
const MAX_NAMED = 10;

/** Reads the name of a saved parameter set, or its id. */
export const readSaved: QuestionReader = async (words, context) => {
  const typed = sourceOf(words).replaceAll(/[\u2068\u2069]/g, '');
  const name = unquoted(typed);
  if (name === '') throw badRequestAs('missing-value', 'Which saved report? /tis saved lists them.');
  const sets = await context.parameterSets();
  const { account: user } = context.principal;
  const names = sets.map((set) => set.name);
  // Quotes may be part of a name.
  const asTyped = setsCalled(typed, sets, user);
  const exact = asTyped.length > 0 ? asTyped : setsCalled(name, sets, user);
  const meant = exact.length > 0 ? null : onlyMeant(name, names);
  const [set, ...others] = meant === null ? exact : setsCalled(meant, sets, user);
  if (set === undefined) throw unknownWord('saved report', name, names);
  if (others.length > 0) throw await ambiguous(name, [set, ...others], context);
  const unknown = unknownNames(set.report);
  const remark =
    unknown.length === 0
      ? null
      : `No report takes ${someOf(unknown.map(codeText), MAX_NAMED)}, so this ignores it.`;
  return { question: { kind: 'saved', setId: set.id, timeZone: context.hours.timeZone }, remark };
};

async function ambiguous(
  name: string,
  sets: readonly ParameterSet[],
  { nameOf }: Pick<ParserContext, 'nameOf'>,
): Promise<AppError> {
  const lines = await Promise.all(
    sets.slice(0, MAX_NAMED).map(async ({ id, ownerId }) => `/tis saved ${id} (by ${await nameOf(ownerId)})`),
  );
  const more = sets.length - lines.length;
  return badRequestAs(
    'ambiguous-name',
    `Several saved reports are called "${name}". Try: ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    { value: name, known: sets.map(({ id }) => id) },
  );
}

/** Marks that isolate a name in a text; they are copied with it. */
const isolates = /[\u2068\u2069]/g;

/**
 * The parameter sets that a user means by a name, whatever its case and its blanks, or by an id. The user's own sets
 * come before public sets of others with the same name.
 */
function setsCalled(name: string, sets: readonly ParameterSet[], user: string): readonly ParameterSet[] {
  const byId = sets.filter(({ id }) => id === name);
  if (byId.length > 0) return byId;
  const wanted = comparable(name);
  const named = sets.filter((set) => comparable(set.name) === wanted);
  const own = named.filter(({ ownerId }) => ownerId === user);
  return own.length > 0 ? own : named;
}

function comparable(name: string): string {
  return name.replaceAll(isolates, '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

const OWNER_LENGTH = 60;
const NAME_LENGTH = 200;

/** Lists the saved parameter sets that a user may use, each with the line that runs it. */
export function savedSets(
  sets: readonly ParameterSet[],
  user: string,
  users: ReadonlyMap<string, Pick<User, 'name'>>,
): Message {
  if (sets.length === 0) {
    return notice('There are no saved reports yet. Open the report builder with `/tis`, and save one there.');
  }
  const lines = sets.map((set): Line => {
    const { name, ownerId } = set;
    return () => {
      const owner = shorten((users.get(ownerId)?.name ?? ownerId).replaceAll(/\s+/g, ' '), OWNER_LENGTH);
      const whose = ownerId === user ? (set.public ? 'yours, public' : 'yours') : `by ${escapeMrkdwn(owner)}`;
      const title = escapeMrkdwn(shorten(name.replaceAll(/\s+/g, ' '), NAME_LENGTH));
      return `*${title}* (${whose})  ${lineOfSet(set, sets, user)}`;
    };
  });
  return lineBlocks([`*Saved reports* (${sets.length})`, ...lines]);
}

/** The line (mrkdwn) that runs a set: it names the set where the name is unique for the user, else its id. */
export function lineOfSet(set: ParameterSet, sets: readonly ParameterSet[], user: string): string {
  const [first, ...others] = setsCalled(set.name, sets, user);
  const isEnough = others.length === 0 && first?.id === set.id && setNameProblem(set.name) === null;
  return savedLine(isEnough ? set.name : set.id);
}

/** A line with a longer name would be cut. */
export const MAX_SET_NAME = 150;

/** Why a parameter set is not to be called so; null: nothing is wrong with the name. */
export function setNameProblem(name: string): string | null {
  const wrong =
    name.length > MAX_SET_NAME
      ? `This name has ${name.length} characters`
      : /[`\r\n\u2028\u2029]/.test(name)
        ? 'This name has a backtick or a line break'
        : null;
  return wrong === null
    ? null
    : `${wrong}. Try: at most ${MAX_SET_NAME} characters without backticks and line breaks, so that it can be typed.`;
}

/** `/tis saved NAME` as code (mrkdwn), as it is to be typed: a name from right to left is kept apart, not the line. */
export function savedLine(name: string): string {
  return `\`/tis saved ${lineText(name).slice(1, -1)}\``;
}
