/**
 * For a machine with two cores shared with the service. Passed on the command line instead of postgresql.conf, so that a
 * newer version of the service applies its values to an existing data folder.
 */
const TUNED: Record<string, string> = {
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  maintenance_work_mem: '128MB',
  // Compiling a plan takes longer than the short queries of this service.
  jit: 'off',
  // One parallel worker: with two cores, more would compete with the service.
  max_parallel_workers_per_gather: '1',
  random_page_cost: '1.1',
  wal_compression: 'on',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  // A replication slot of a backup folder that is gone must not fill the disk. `dukkan backup` makes it again.
  max_slot_wal_keep_size: '4GB',
  checkpoint_timeout: '15min',
  fsync: 'on',
  synchronous_commit: 'on',
  password_encryption: 'scram-sha-256',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  // No errors and no failed statements: the service logs its own errors, and a unique violation would write customer data
  // into this file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
};

export type Endpoint = { listen: 'socket'; socketDir: string; port: number } | { listen: 'tcp'; port: number };

export function serverArguments(clusterDir: string, endpoint: Endpoint, extra: Record<string, string> = {}): string[] {
  const settings: Record<string, string> = { ...TUNED, ...extra, ...listenSettings(endpoint) };
  return ['-D', clusterDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function listenSettings(endpoint: Endpoint): Record<string, string> {
  const port = String(endpoint.port);
  if (endpoint.listen === 'tcp') return { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  return {
    port,
    listen_addresses: '',
    // The setting is a list: quotes protect a path that contains commas.
    unix_socket_directories: `"${endpoint.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}
