/**
 * For a machine of two cores that the service and others share. They travel on the command line rather than in the cluster's
 * postgresql.conf, so that a newer version of the service brings its own values to an old data folder.
 */
const TUNED: Record<string, string> = {
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  maintenance_work_mem: '128MB',
  // Compiling a plan costs more than the short queries of this service run.
  jit: 'off',
  // One helper at most: with two cores more would only take turns with the service itself.
  max_parallel_workers_per_gather: '1',
  random_page_cost: '1.1',
  wal_compression: 'on',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  fsync: 'on',
  synchronous_commit: 'on',
  password_encryption: 'scram-sha-256',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  // Neither errors nor the statements behind them: the service reports its own, and a refused duplicate would put a
  // customer's data into this file.
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
    // The setting is a list: quotes keep a path with commas in one piece.
    unix_socket_directories: `"${endpoint.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}
