<%include file="${'nonblocking.mako' if cfg.mshrs else 'blocking.mako'}"/>
