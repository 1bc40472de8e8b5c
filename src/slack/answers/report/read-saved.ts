import { unknownNames } from '../../../api/parameters/saved-report.ts';
import { type AppError, badRequestAs } from '../../../model/error.ts';
import type { ParameterSet } from '../../../model/parameter-set.ts';
import { onlyMeant, unknownWord } from '../../ask/grammar/names-meant.ts';
import type { ParserContext, QuestionReader } from '../../ask/grammar/parser-context.ts';
import { sourceOf, unquoted } from '../../ask/grammar/typed-words.ts';
import { someOf } from '../../blocks/line-blocks.ts';
import { codeText } from '../../blocks/mrkdwn.ts';

/** More are not listed. */
const MAX_NAMED = 10;

/** Reads the name of a saved parameter set, or its id. */
export const readSaved: QuestionReader = async (words, asking) => {
  const typed = sourceOf(words).replaceAll(/[\u2068\u2069]/g, '');
  const name = unquoted(typed);
  if (name === '') throw badRequestAs('missing-value', 'Which saved report? /tis saved lists them.');
  const sets = await asking.parameterSets();
  const { account: user } = asking.principal;
  const names = sets.map((set) => set.name);
  // Quotes may be part of a name.
  const asTyped = setsCalled(typed, sets, user);
  const exact = asTyped.length > 0 ? asTyped : setsCalled(name, sets, user);
  const meant = exact.length > 0 ? null : onlyMeant(name, names);
  const [set, ...others] = meant === null ? exact : setsCalled(meant, sets, user);
  if (set === undefined) throw unknownWord('saved report', name, names);
  if (others.length > 0) throw await ambiguous(name, [set, ...others], asking);
  const unknown = unknownNames(set.report);
  const remark =
    unknown.length === 0
      ? null
      : `No report takes ${someOf(unknown.map(codeText), MAX_NAMED)}, so this ignores it.`;
  return { question: { kind: 'saved', setId: set.id, timeZone: asking.hours.timeZone }, remark };
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

/** Marks that keep a name apart from what stands beside it; who copies it copies them. */
const isolates = /[\u2068\u2069]/g;

/**
 * The parameter sets that somebody means by a name, whatever its case and its blanks, or by an id. Whoever has one of
 * that name means it: what others make public takes no name away.
 */
export function setsCalled(
  name: string,
  sets: readonly ParameterSet[],
  user: string,
): readonly ParameterSet[] {
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
