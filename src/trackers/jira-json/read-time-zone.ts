const known = new Map<string, boolean>();

/** The zone (IANA) when there is one of that name; dates could not be read in any other. */
export function readTimeZone(name: string | null | undefined): string | null {
  if (!name) return null;
  const exists = known.get(name) ?? isZone(name);
  known.set(name, exists);
  return exists ? name : null;
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
