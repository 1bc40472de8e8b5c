/** A question that Slack suggests where a conversation begins, and its line; the manifest has the same words. */
interface Prompt {
  readonly prompt: string;
  /** True if the question can be about a project. */
  readonly isAboutProject: boolean;
  readonly line: string;
}

/** The questions Slack suggests where a conversation begins. */
const prompts: readonly Prompt[] = [
  { prompt: 'How was last week?', isAboutProject: true, line: '/tis weekly' },
  { prompt: 'What is stuck?', isAboutProject: true, line: '/tis aging' },
  { prompt: 'What is waiting for me?', isAboutProject: false, line: '/tis mine' },
];

/** The suggested questions as buttons ask them, of a project. */
export function suggestedOf(project: string): readonly { readonly label: string; readonly line: string }[] {
  return prompts.map(({ prompt, isAboutProject, line }) =>
    isAboutProject
      ? { label: prompt.replace('?', ` in ${project}?`), line: `${line} ${project}` }
      : { label: prompt, line },
  );
}

/** Words as they are compared: without politeness, a greeting and the marks at their end. */
export function plainWords(text: string): string {
  return text
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/^(?:(?:hi|hey|hello|please)\b[ ,!.]*)+/i, '')
    .replace(/(?<![ ?!.])[ ?!.]+$/, '')
    .replace(/\bplease$/i, '')
    .replace(/(?<![ ,])[ ,]+$/, '');
}

/** True if a text is a question about the questions that can be answered. */
export function asksHelp(text: string): boolean {
  return /^(?:what|which questions) can (?:you do|you answer|i ask)(?: you)?$|^how do(?:es)? (?:i use you|this work|you work)$/i.test(
    plainWords(text),
  );
}

/** `what working hours do you count`, `which calendar`, `what's the time zone`; not `what hours do tickets take`. */
const aboutHours =
  /^(?:in |by )?(?:what|which)(?:'?s| is| are)? (?:the |your |our |my )?(?:(?:working|work|business|office) (?:hours|calendar)|calendar(?! (?:time|days|hours))|time ?zone|hours(?= (?:do|does) (?:you|we|it|dwell) ))\b(?!.*\b(?:spen[dt]|takes?|took)\b)|^(?:do|does) (?:you|it|dwell) count (?:the )?(?:weekends?|nights|holidays)\b/i;

/** True if a text is a question about the hours and days that count, or their time zone. */
export function asksHours(text: string): boolean {
  return aboutHours.test(plainWords(text));
}

/** True if a text only says thanks. */
export function isThanks(text: string): boolean {
  return /^(?:(?:ok|okay|great|perfect|cool|nice)[ ,!.]*)*(?:(?:many )?thanks|thank you|thx|cheers)?(?: (?:a lot|so much|very much|dwell))?$/i.test(
    plainWords(text) || '-',
  );
}

const done = '(?:done|finished|completed?|ready|delivered|shipped|closed|resolved|over)';
const finish =
  '(?:finish|complete|deliver|close|resolve|ship|do|get done|have done|get through|be done with)';
const may = '(?:will|can|could|might|would|should)';
const things = '(?:issues?|tickets?|items?|stories|tasks?|bugs?)';

/** A sentence, and the words after the name of its kind, from the parts of it. */
type Sentence = readonly [RegExp, (...parts: readonly string[]) => string];

/** When something will be done, or how many by a day: the words of each part in the order of `parts`. */
const forecasts: readonly Sentence[] = [
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

const yesterday = '(?:yesterday|(?:the )?last (?:working day|workday|stand-?up|daily))';
const where = '(?: (?:in|with|at|for|of) (\\S+))?';

/** Questions about what is new since the last working day; the part is where. */
const standups: readonly RegExp[] = [
  new RegExp(`^(?:(?:the|our|my|a|today'?s) )?(?:stand-?up|daily|daily stand-?up|daily scrum)${where}$`, 'i'),
  new RegExp(
    `^what(?:'s| is| was| has| has been)? (?:happened|new|moved|going on|the news)${where} since ${yesterday}$`,
    'i',
  ),
  new RegExp(
    `^what(?:'s| is| was| has| has been)? (?:happened|new|moved|going on|the news) since ${yesterday}${where}$`,
    'i',
  ),
  new RegExp(
    `^what (?:did|have) (?:we|the team|everyone) (?:do|done|get done) (?:since )?${yesterday}${where}$`,
    'i',
  ),
];

const sentences: readonly Sentence[] = [
  ...forecasts.map(([pattern, words]): Sentence => [pattern, (...parts) => `forecast ${words(...parts)}`]),
  ...standups.map((pattern): Sentence => [pattern, (place = '') => `standup ${place}`]),
];

/** A longer text is no such sentence. */
const MAX_LENGTH = 300;

/**
 * The line after `/tis` of a sentence that asks for a forecast or for a standup: `when will 20 issues in WEB be done?`, `how many issues
 * will WEB finish by Dec 24?`, `what happened in WEB since yesterday?`. Null for any other.
 */
export function sentenceLine(typed: string): string | null {
  if (typed.length > MAX_LENGTH) return null;
  const text = typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/’/g, "'")
    .replace(/[\s?!.]+$/, '');
  for (const [pattern, lineOf] of sentences) {
    const parts = pattern.exec(text);
    if (parts !== null)
      return lineOf(...parts.slice(1).map((part) => part ?? ''))
        .trim()
        .replace(/\s+/g, ' ');
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
