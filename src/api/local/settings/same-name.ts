/** Whether people would take two names for one: neither case nor blanks around them tell them apart. */
export function sameName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

function folded(name: string): string {
  return name.trim().normalize().toLowerCase();
}
