-- The audit log is with its business.
DROP TRIGGER audit_log_append_only ON audit_log;
SELECT create_distributed_table('audit_log', 'business_id', colocate_with => 'businesses');
