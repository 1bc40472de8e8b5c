import { foldedName } from '../../issues/ids-and-names.ts';

/** The id somebody means: exactly this one, else the only one that equals it without regard to case; null: none. */
export function storedId(
  ids: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  name: string,
): string | null {
  if (ids.has(name)) return name;
  const wanted = foldedName(name);
  const alike = [...ids.keys()].filter((id) => foldedName(id) === wanted);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
