import { badRequest } from '../../model/error.ts';
import { sourceOf } from '../exports/typed-words.ts';
import type { QuestionReader } from './asking.ts';
import { onlyMeant } from './names-meant.ts';
import { unquoted } from './quotes.ts';
import { unknownWord } from './unknown-word.ts';

/** Reads the name of a saved parameter set, or its id. */
export const readSaved: QuestionReader = async (words, asking) => {
  const name = unquoted(sourceOf(words));
  if (name === '') throw badRequest('Which parameter set? Allowed: the name of a saved one.');
  const sets = await asking.parameterSets();
  const wanted = name.toLowerCase();
  const exact = sets.filter((set) => set.id === name || set.name.toLowerCase() === wanted);
  const meant = onlyMeant(
    name,
    sets.map((set) => set.name),
  );
  const named = exact.length > 0 ? exact : sets.filter((set) => set.name === meant);
  const [set, ...others] = named;
  if (set === undefined)
    throw unknownWord(
      'The parameter set',
      name,
      sets.map((one) => one.name),
    );
  if (others.length > 0) {
    throw badRequest(
      `'${name}' is the name of several parameter sets; allowed: one of the ids ${named.map(({ id }) => id).join(', ')}.`,
    );
  }
  return { question: { kind: 'saved', setId: set.id, timeZone: asking.hours.timeZone }, remark: null };
};
