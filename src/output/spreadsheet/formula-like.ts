const formulaStart = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
const harmless = /^\s*-(\d+(\.\d+)?)?\s*$/;

/**
 * Whether a spreadsheet would run a text that is typed, or read from a CSV, as a formula (OWASP, CSV injection). A lone
 * "-" and a number are no formulas; a tab or the end of a line in front is as bad as one.
 */
export function isFormulaLike(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins with an ASCII letter or digit, and testing that is much quicker than the patterns.
  if ((first >= 0x41 && first <= 0x7a) || (first >= 0x30 && first <= 0x39)) return false;
  if (first === 0x09 || first === 0x0a || first === 0x0d) return true;
  return formulaStart.test(text) && !harmless.test(text);
}
