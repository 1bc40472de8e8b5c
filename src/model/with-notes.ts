/** The same with more to be said of it. What is said already is not repeated. */
export function withNotes<Known extends object>(
  known: Known & { readonly notes?: readonly string[] },
  more: readonly string[],
): Known & { readonly notes?: readonly string[] } {
  const notes = [...new Set([...(known.notes ?? []), ...more])];
  return notes.length === 0 ? known : { ...known, notes };
}
