import { pageReply } from '../page/page-reply.ts';
import type { BodyReply } from '../route.ts';

/** A page about linking an account, around what it says. */
export function linkReply(status: number, content: string): BodyReply {
  return pageReply(status, 'Link an account', content);
}
