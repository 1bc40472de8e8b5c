/** A question in plain words, and the command line that answers it. */
interface PlainQuestion {
  /** As Slack suggests it (the manifest has the same words) and as a button is labelled; null: understood, not suggested. */
  readonly prompt: string | null;
  readonly words: RegExp;
  /** `named` is the project or person in it; empty where there was none. */
  readonly line: (named: string, words: RegExpExecArray) => string;
}

/** The words, with or without a project after them. */
function about(words: string): RegExp {
  return new RegExp(`^(?:${words})(?: (?:in|for|of) (?:project )?(?<named>.+))?$`, 'i');
}

/** Every question in plain words; a new one is an entry here. Known words only: nothing is guessed. */
const plainQuestions: readonly PlainQuestion[] = [
  {
    prompt: 'How was last week?',
    words: about(
      '(?:how (?:was|did|is|went)|what happened|summary of|summari[sz]e) (?:the )?(?<week>last|this) week(?: go| going)?',
    ),
    line: (named, { groups }) =>
      `/tis weekly ${named}${groups?.week?.toLowerCase() === 'this' ? ' this week' : ''}`,
  },
  {
    prompt: 'What is stuck?',
    words: about(
      "(?:(?:what|which issues)(?: is| are|'s)?|(?:is )?anything) (?:stuck|aging|(?:waiting|taking) too long)",
    ),
    line: (named) => `/tis aging ${named}`,
  },
  {
    prompt: 'What is waiting for me?',
    words:
      /^(?:what (?:waits|is waiting) for me|(?:(?:what|which issues)(?: is| are|'s)? )?assigned to me|(?:show )?my (?:open )?issues)$/i,
    line: () => '/tis mine',
  },
  {
    prompt: null,
    words: /^who (?:covers|is covering|will cover)(?: for)? (?<named>.+)$/i,
    line: (named) => `/delegates ${named}`,
  },
  { prompt: null, words: /^who do I cover(?: for)?$/i, line: () => '/delegates mine' },
  {
    prompt: null,
    words: /^who is (?:out|away|out of office)(?: this week)?$/i,
    line: () => '/delegates week',
  },
  { prompt: null, words: /^what can (?:you do|I ask)$/i, line: () => '/tis help' },
];

/** The questions Slack suggests where a conversation begins. */
export const prompts: readonly string[] = plainQuestions.flatMap(({ prompt }) => prompt ?? []);

/** Words as they are compared: without politeness, a greeting and the marks at their end. */
export function plainWords(text: string): string {
  return text
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/^(?:(?:hi|hey|hello|please)\b[ ,!.]*)+/i, '')
    .replace(/[ ,]*(?:\bplease)?[ ?!.]*$/i, '');
}

/** The command line that a question in plain words means; null where it is none of them. */
export function lineOfPlain(text: string): string | null {
  const asked = plainWords(text);
  for (const { words, line } of plainQuestions) {
    const found = words.exec(asked);
    if (found !== null)
      return line(found.groups?.named ?? '', found)
        .replace(/\s+/g, ' ')
        .trim();
  }
  return null;
}

/** Whether someone only says thanks. */
export function isThanks(text: string): boolean {
  return /^(?:(?:ok|okay|great|perfect|cool|nice)[ ,!.]*)*(?:(?:many )?thanks|thank you|thx|cheers)?(?: (?:a lot|so much|very much|dwell))?$/i.test(
    plainWords(text) || '-',
  );
}

/** A question as a button asks it. */
interface Suggested {
  readonly label: string;
  readonly line: string;
}

/** What words may be about that are no question, and what can be asked about it. */
const topics: readonly {
  readonly words: RegExp;
  readonly ask: (project: string, range: string) => Suggested;
}[] = [
  {
    words: /\b(?:stuck|block\w*|wait\w*|longest|oldest|slow\w*|overdue|late)\b/i,
    ask: (project) => ({ label: `What is stuck in ${project}?`, line: `/tis aging ${project}` }),
  },
  {
    words: /\b(?:how long|time|took|takes?|average|median|reviews?)\b/i,
    ask: (project, range) => ({
      label: `Time in status in ${project}, ${range}`,
      line: `/tis ${project} ${range}`,
    }),
  },
  {
    words: /\b(?:compar\w*|versus|vs|better|worse|faster|slower)\b/i,
    ask: (project) => ({
      label: `Compare ${project} last month with this month`,
      line: `/tis compare ${project} last month with this month`,
    }),
  },
  {
    words: /\b(?:out of office|away|cover\w*|vacation|holidays?)\b/i,
    ask: () => ({ label: 'Who is out this week?', line: '/delegates week' }),
  },
  {
    words: /\b(?:every|schedul\w*|digest)\b/i,
    ask: () => ({ label: 'Schedule a digest', line: '/tis digest new' }),
  },
];

const SUGGESTED = 3;

/** Three questions about a project, those first that fit what was written. */
export function fittingOf(text: string, project: string): readonly Suggested[] {
  const [range = 'last 30 days'] =
    /\b(?:(?:this|last) (?:week|month|quarter|year)|last \d{1,3} (?:days|weeks|months))\b/i.exec(text) ?? [];
  const fitting = topics.flatMap(({ words, ask }) =>
    words.test(text) ? [ask(project, range.toLowerCase())] : [],
  );
  const others = suggestedOf(project).filter(({ line }) => !fitting.some((one) => one.line === line));
  return [...fitting, ...others].slice(0, SUGGESTED);
}

/** The suggested questions as buttons ask them, of a project. */
function suggestedOf(project: string): readonly Suggested[] {
  return prompts.flatMap((prompt) => {
    const named = prompt.replace('?', ` in ${project}?`);
    const [label, line] = [named, lineOfPlain(named)];
    const whole = lineOfPlain(prompt);
    if (line !== null) return [{ label, line }];
    return whole === null ? [] : [{ label: prompt, line: whole }];
  });
}
