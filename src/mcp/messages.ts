import { isTooDeep, MAX_JSON_DEPTH, tryParseJson } from '../api/parameters/check-parameters.ts';

/** The longest message that is read (bytes). */
export const MAX_MESSAGE_BYTES = 1_000_000;

/** Error codes of JSON-RPC, and one of the range it leaves to servers. */
export const codes = { parseError: -32_700, invalidRequest: -32_600, internal: -32_603, refused: -32_000 };

/** An error in JSON-RPC. */
export function errorMessage(code: number, message: string, id: string | number | null = null) {
  return { jsonrpc: '2.0' as const, error: { code, message }, id };
}

interface BadMessage {
  readonly code: number;
  readonly problem: string;
}

/** One message of the protocol as its JSON, or the problem with it. */
export function readMessage(text: string): { readonly message: unknown } | BadMessage {
  if (isTooDeep(text)) {
    return {
      code: codes.parseError,
      problem: `The message is nested too deep. Try: ${MAX_JSON_DEPTH} levels.`,
    };
  }
  const message = tryParseJson(text);
  if (message === undefined)
    return { code: codes.parseError, problem: 'Parse error: the message is not JSON.' };
  if (Array.isArray(message)) {
    return {
      code: codes.invalidRequest,
      problem:
        'Batches are not answered: the protocol has none since 2025-06-18. Send each message by itself.',
    };
  }
  return { message };
}

/** The problem of a message that is too long. */
export const tooLong: BadMessage = {
  code: codes.invalidRequest,
  problem: `The message is too large. Try: ${MAX_MESSAGE_BYTES} bytes.`,
};

/** The id of a request, by which it is answered; null where it has none. */
export function requestIdOf(message: unknown): string | number | null {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
