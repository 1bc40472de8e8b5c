import type { ParameterSet } from '../../model/parameter-set.ts';

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
