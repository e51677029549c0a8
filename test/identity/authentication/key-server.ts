import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK, type JWTPayload, SignJWT } from 'jose';

/** An identity provider that signs session tokens and publishes its public keys. */
export class KeyServer {
  requestCount = 0;
  isDown = false;
  private keys: JWK[] = [];
  private readonly server: Server = createServer((_, response) => {
    this.requestCount++;
    response.writeHead(this.isDown ? 500 : 200).end(JSON.stringify(this.published));
  });

  get published(): JSONWebKeySet {
    return { keys: this.keys };
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Publishes a new key, and returns a token that the key signed. */
  async publish(kid: string, claims: JWTPayload = { sub: 'ann' }, alg = 'EdDSA'): Promise<string> {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    this.keys.push({ ...(await exportJWK(publicKey)), kid, alg });
    return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey);
  }

  /** Removes all published keys. */
  withdraw(): void {
    this.keys = [];
  }
}
