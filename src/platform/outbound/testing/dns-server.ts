import { once } from 'node:events';
import dns, { Packet } from 'dns2';

export type Question = { name: string; type: 'A' | 'AAAA' };

export type DnsServer = {
  /** For Resolver.setServers. */
  address: string;
  questions: Question[];
  close(): Promise<void>;
};

/** `undefined` leaves the question without any reply, an empty list says that the name has no such record. */
export type AnswerQuestion = (question: Question) => string[] | 'no such name' | undefined;

/** A DNS server on a UDP port, with a long life on every record so that a hidden cache would show. */
export async function startDnsServer(answer: AnswerQuestion): Promise<DnsServer> {
  const questions: Question[] = [];
  const server = dns.createUDPServer((request, send) => {
    const [asked] = request.questions;
    if (asked === undefined) return;
    const question: Question = { name: asked.name, type: asked.type === Packet.TYPE.AAAA ? 'AAAA' : 'A' };
    questions.push(question);
    const found = answer(question);
    if (found === undefined) return;
    const response = Packet.createResponseFromRequest(request);
    if (found === 'no such name') {
      response.header.rcode = Packet.RCODE.NXDOMAIN;
    } else {
      response.answers = found.map((address) =>
        Packet.createResourceFromQuestion(asked, { class: Packet.CLASS.IN, ttl: 300, address }),
      );
    }
    void send(response);
  });
  await server.listen(0, '127.0.0.1');
  return {
    address: `127.0.0.1:${server.address().port}`,
    questions,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
