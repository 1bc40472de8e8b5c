const done = '(?:done|finished|completed?|ready|delivered|shipped|closed|resolved|over)';
const finish =
  '(?:finish|complete|deliver|close|resolve|ship|do|get done|have done|get through|be done with)';
const may = '(?:will|can|could|might|would|should)';
const things = '(?:issues?|tickets?|items?|stories|tasks?|bugs?)';

/** When something will be done, or how many by a day: the words of each part in the order of `parts`. */
const sentences: readonly (readonly [RegExp, (...parts: readonly string[]) => string])[] = [
  [
    new RegExp(`^when ${may} (.+?) (?:all )?(?:be|get) (?:all )?${done}$`, 'i'),
    (what = '') => subjectOf(what),
  ],
  [
    new RegExp(`^when ${may} (.+?) ${finish} (.+)$`, 'i'),
    (who = '', what = '') => [subjectOf(what), isAnyone(who) ? '' : `in ${who}`].join(' '),
  ],
  [
    new RegExp(
      `^how many ${things} ${may} (.+?) ${finish}(?: in (\\S+))? (?:by|until|till|before) (.+)$`,
      'i',
    ),
    (who = '', where = '', day = '') => [isAnyone(who) ? where : subjectOf(who), `by ${day}`].join(' '),
  ],
  [
    new RegExp(
      `^how many ${things}(?: (?:in|of|from) (.+?))? ${may} (?:be|get) ${done}(?: in (\\S+))? (?:by|until|till|before) (.+)$`,
      'i',
    ),
    (where = '', other = '', day = '') => [where || other, `by ${day}`].join(' '),
  ],
];

/** A longer text is no such sentence. */
const MAX_LENGTH = 300;

/**
 * The line after `/tis` of a sentence that asks for a forecast: `when will 20 issues in WEB be done?`, `how many issues will WEB
 * finish by Dec 24?`. Null for any other.
 */
export function forecastLine(typed: string): string | null {
  if (typed.length > MAX_LENGTH) return null;
  const text = typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\s?!.]+$/, '');
  for (const [pattern, lineOf] of sentences) {
    const parts = pattern.exec(text);
    if (parts !== null)
      return `forecast ${lineOf(...parts.slice(1).map((part) => part ?? ''))}`.trim().replace(/\s+/g, ' ');
  }
  return null;
}

function isAnyone(who: string): boolean {
  return /^(?:we|i|you|they|it|(?:the|our|my) (?:team|folks|people))$/i.test(who);
}

/** `20 issues in WEB`, `WEB`, `sprint "Sprint 7"`, without what says nothing. */
function subjectOf(what: string): string {
  return what
    .replace(/^(?:all(?: of)?|everything)(?= |$)/i, '')
    .trim()
    .replace(/^(?:the|our|these|those|next)(?= )/i, '')
    .trim()
    .replace(
      /^(?:(?:open|remaining|other) )?(?:issues|tickets|items|work|backlog|rest)(?: (?:in|of|from))?(?= |$)/i,
      '',
    )
    .replace(/^in (?=\S)/i, '')
    .trim();
}
