const whole = /^com\.atlassian\.greenhopper\.service\.sprint\.Sprint@[0-9a-f]+\[(.*)\]$/s;

/** Names and goals may hold commas, brackets and equals signs: only a comma before one of these parts members. */
const between =
  /,(?=(?:rapidViewId|state|name|goal|startDate|endDate|completeDate|activatedDate|sequence|synced|autoStartStop|incompleteIssuesDestinationId|id)=)/;

/** The members of a sprint that Data Center wrote down as a text; null when the text is none. */
export function sprintText(text: string): Readonly<Record<string, string>> | null {
  const [, inside] = whole.exec(text) ?? [];
  if (inside === undefined) return null;
  const members: Record<string, string> = {};
  for (const part of inside.split(between)) {
    const sign = part.indexOf('=');
    const name = part.slice(0, sign);
    const value = part.slice(sign + 1);
    // What a goal may say further behind is no member.
    if (sign > 0 && value !== '<null>') members[name] ??= value;
  }
  return members;
}
