import type { Message } from './message.ts';

/** Where an answer through a response URL goes. */
export interface ResponseTarget {
  readonly user: string;
  readonly channel: string;
  /** The message whose button was pressed, where there is one. */
  readonly original?: Message;
  /** The command as it was typed, where one was. */
  readonly command?: string;
}

/** The response URLs handed out. */
export type ResponseUrls = ReturnType<typeof createResponseUrls>;

/** Response URLs: good for five uses within thirty minutes. */
export function createResponseUrls({
  now,
  newId,
  url,
  uses,
  ms,
}: {
  now: () => number;
  newId: () => string;
  url: () => string;
  uses: number;
  ms: number;
}) {
  const issued = new Map<string, { target: ResponseTarget; at: number; left: number }>();
  return {
    issue(target: ResponseTarget): string {
      const id = newId();
      issued.set(id, { target, at: now(), left: uses });
      return `${url().replace(/\/$/, '')}/playground/response/${id}`;
    },

    /** The target, or the word Slack refuses with. */
    use(id: string): ResponseTarget | 'expired_url' | 'used_url' {
      const entry = issued.get(id);
      if (!entry || now() - entry.at > ms) return 'expired_url';
      if (entry.left === 0) return 'used_url';
      entry.left -= 1;
      return entry.target;
    },
  };
}
